import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { refuse } from '../domain/refusal.ts'

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

/** A name as it may be written in a PDF: any character of it may be spelled as `#` and two hexadecimal digits. */
const spelled = (name: string): string =>
  [...name].map(char => `(?:${char}|#${char.charCodeAt(0).toString(16)})`).join('')
const oneOf = (names: readonly string[]): string => `/(?:${names.map(spelled).join('|')})`

/** What makes a document do something when opened, reach out of itself, or carry other files. */
const active = new RegExp(
  oneOf([
    ...['JavaScript', 'Launch', 'EmbeddedFile', 'FileAttachment', 'RichMedia', 'Rendition', 'OnInstantiate'],
    ...['ImportData', 'SubmitForm', 'GoToE', 'GoToR'],
  ]),
  'i',
)
/** The form language of another age, with scripts of its own. Its name is short: only with what follows it is it no accident. */
const forms = new RegExp(`/${spelled('XFA')}[\\s%]*(?:\\[|\\d+\\s+\\d+\\s+R)`)
/** Objects may be packed into streams, which only documents with a packed list of objects can have. */
const packed = new RegExp(oneOf(['ObjStm', 'XRef']))
const pack = new RegExp(oneOf(['ObjStm', 'First']))
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

const unfit = () => refuse(28003)
const acts = (text: string): boolean => active.test(text) || forms.test(text)

/** A stream unpacked; null when it is not deflated. Rejects above `left` bytes. */
async function unpacked(body: Buffer, left: number): Promise<Buffer | null> {
  try {
    return await inflated(body, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    if (error instanceof RangeError) throw error
    return null
  }
}

/** Whether a stream that speaks of rearranging may hold packed objects nobody could read here. */
const hides = (dictionary: string, plain: Buffer | null): boolean =>
  rearranged.test(dictionary) && (plain === null || pack.test(dictionary) || !harmless.test(dictionary))

/**
 * Looks into every stream that unpacks. Packed objects must unpack, or nobody knows what they hold. What stands before a
 * stream counts back to the stream before: no text in between can pretend that the dictionary begins later.
 */
async function checkStreams(buffer: Buffer, text: string): Promise<void> {
  let [left, from] = [unpackedLimit, 0]
  const packs = packed.test(text)
  if (packs && unusual.test(text)) throw unfit()
  for (const match of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const body = match.index + match[0].length
    const dictionary = text.slice(from, match.index)
    from = body
    const plain = await unpacked(buffer.subarray(body), left)
    if (packs && hides(dictionary, plain)) throw unfit()
    if (!plain && /\/F/.test(dictionary) && new RegExp(`/${spelled('ObjStm')}`).test(dictionary)) throw unfit()
    left -= plain?.length ?? 0
    if (plain && acts(plain.toString('latin1'))) throw unfit()
  }
}

/**
 * Refuses (28003) what is no PDF, and a PDF that is encrypted, runs scripts, starts programs, sends forms, leads to other
 * files or carries some, or is an archive as well: none of that is needed to show a certificate.
 */
export async function checkPdf(buffer: Buffer): Promise<void> {
  const text = buffer.toString('latin1')
  if (!text.startsWith('%PDF-') || !text.slice(-2048).includes('%%EOF')) throw unfit()
  if (acts(text) || encrypted.test(text) || text.slice(-zipReach).includes('PK\x05\x06')) throw unfit()
  await checkStreams(buffer, text).catch(() => {
    throw unfit()
  })
}
