import { inflateSync } from 'node:zlib'

/** A name as it may be written in a PDF: any character of it may be spelled as `#` and two hexadecimal digits. */
const spelled = (name: string): string =>
  [...name].map(char => `(?:${char}|#${char.charCodeAt(0).toString(16)})`).join('')
const oneOf = (names: readonly string[]): string => `/(?:${names.map(spelled).join('|')})`

/** What makes a document do something when opened, reach out of itself, or carry other files. */
export const activeNames = [
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'FileAttachment',
  'RichMedia',
  'Rendition',
  'OnInstantiate',
  'ImportData',
  'SubmitForm',
  'GoToE',
  'GoToR',
] as const

const active = new RegExp(oneOf(activeNames), 'i')
/** The form language of another age, with scripts of its own. Its name is short: only with what follows it is it no accident. */
const forms = new RegExp(`/${spelled('XFA')}[\\s%]*(?:\\[|\\d+\\s+\\d+\\s+R)`)
/** Objects may be packed into streams, which only documents with a packed list of objects can have. */
const packed = new RegExp(oneOf(['ObjStm', 'XRef']))
const objects = new RegExp(`/${spelled('ObjStm')}`)
/** What a stream of packed objects says of itself; outlines name their first entry in the same word, as a reference. */
const pack = new RegExp(`${oneOf(['ObjStm'])}|/${spelled('First')}\\s+\\d+(?!\\d*\\s+\\d+\\s+R)`)
/** The one way in which objects may be packed: once, and not by reference. */
const flate = `/${spelled('FlateDecode')}(?![A-Za-z0-9#])`
const otherwise = new RegExp(`/${spelled('Filter')}(?![A-Za-z0-9#])(?!\\s*(?:${flate}|\\[\\s*${flate}\\s*\\]))`)
/** Ways of packing that are not undone here; what is packed like this could hide the above. */
const unusual = new RegExp(
  `${oneOf(['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'LZW', 'RunLengthDecode', 'Crypt'])}(?![A-Za-z0-9])`,
)
/** Rearranges bytes after unpacking: usual for tables and pictures, a hiding place anywhere else. */
const rearranged = new RegExp(`/${spelled('Predictor')}`)
const harmless = /\/XRef|\/Image/
const encrypted = new RegExp(`/${spelled('Encrypt')}(?![A-Za-z])`)
/** All streams of a document together, in bytes once unpacked. */
const unpackedLimit = 192 * 1024 * 1024
/** A zip is found by its end, which lies this near to the end of a file. */
const zipReach = 0xffff + 22

const acts = (text: string): boolean => active.test(text) || forms.test(text)

/** A stream unpacked; null when it is not deflated. Throws above `left` bytes. */
function unpacked(body: Buffer, left: number): Buffer | null {
  try {
    return inflateSync(body, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    if (error instanceof RangeError) throw error
    return null
  }
}

/** Whether a stream may hold packed objects that nobody could read here. */
function hides(dictionary: string, plain: Buffer | null): boolean {
  if (pack.test(dictionary) && otherwise.test(dictionary)) return true
  return rearranged.test(dictionary) && (plain === null || pack.test(dictionary) || !harmless.test(dictionary))
}

/**
 * Looks into every stream that unpacks. Packed objects must unpack, or nobody knows what they hold. What stands before a
 * stream counts back to the stream before: no text in between can pretend that the dictionary begins later.
 */
function areStreamsFit(buffer: Buffer, text: string): boolean {
  let [left, from] = [unpackedLimit, 0]
  const packs = packed.test(text)
  if (packs && unusual.test(text)) return false
  for (const match of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const body = match.index + match[0].length
    const dictionary = text.slice(from, match.index)
    from = body
    const plain = unpacked(buffer.subarray(body), left)
    if (packs && hides(dictionary, plain)) return false
    if (!plain && /\/F/.test(dictionary) && objects.test(dictionary)) return false
    left -= plain?.length ?? 0
    if (plain && acts(plain.toString('latin1'))) return false
  }
  return true
}

/**
 * Reads a PDF as text, wherever its objects may stand and whatever lists of them say: whether nothing in it is encrypted,
 * acts, or is an archive as well.
 * @throws RangeError when it unpacks to more than 192 MB
 */
export function isTextFit(buffer: Buffer): boolean {
  const text = buffer.toString('latin1')
  if (!text.startsWith('%PDF-') || !text.slice(-2048).includes('%%EOF')) return false
  if (acts(text) || encrypted.test(text) || text.slice(-zipReach).includes('PK\x05\x06')) return false
  return areStreamsFit(buffer, text)
}
