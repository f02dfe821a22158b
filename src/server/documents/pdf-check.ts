import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { refuse } from '../domain/refusal.ts'

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

/** A name as it may be written in a PDF: any character of it may be spelled as `#` and two hexadecimal digits. */
const spelled = (name: string): string =>
  [...name].map(char => `(?:${char}|#${char.charCodeAt(0).toString(16)})`).join('')

/** What makes a document do something when opened, or carry other files. */
const active = new RegExp(
  `/(?:${['JavaScript', 'Launch', 'EmbeddedFile', 'RichMedia', 'XFA', 'ImportData', 'SubmitForm'].map(spelled).join('|')})`,
  'i',
)
/** Objects may be packed into streams; one that is packed in an unusual way could hide the above. */
const packed = new RegExp(`/${spelled('ObjStm')}`)
const unusual = new RegExp(
  `/(?:${['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'LZW', 'RunLengthDecode', 'Crypt'].map(spelled).join('|')})(?![A-Za-z0-9])`,
)
/** Rearranges bytes after unpacking: usual for tables and pictures, a hiding place anywhere else. */
const rearranged = new RegExp(`/${spelled('Predictor')}`)
const harmless = /\/XRef|\/Image/
const encrypted = new RegExp(`/${spelled('Encrypt')}(?![A-Za-z])`)
/** All streams of a document together, in bytes once unpacked. */
const unpackedLimit = 192 * 1024 * 1024

const unfit = () => refuse(28003)

/** A stream unpacked; null when it is not deflated. Rejects above `left` bytes. */
async function unpacked(body: Buffer, left: number): Promise<Buffer | null> {
  try {
    return await inflated(body, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    if (error instanceof RangeError) throw error
    return null
  }
}

/** Looks into every stream that unpacks. Packed objects must unpack, or nobody knows what they hold. */
async function checkStreams(buffer: Buffer, text: string): Promise<void> {
  let left = unpackedLimit
  const packs = packed.test(text)
  if (packs && unusual.test(text)) throw unfit()
  for (const match of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const head = text.slice(Math.max(0, match.index - 1024), match.index)
    const dictionary = head.slice(head.lastIndexOf(' obj') + 1)
    if (packs && rearranged.test(dictionary) && !harmless.test(dictionary)) throw unfit()
    const plain = await unpacked(buffer.subarray(match.index + match[0].length), left)
    if (!plain && packed.test(dictionary) && /\/F/.test(dictionary)) throw unfit()
    left -= plain?.length ?? 0
    if (plain && active.test(plain.toString('latin1'))) throw unfit()
  }
}

/**
 * Refuses (28003) what is no PDF, and a PDF that is encrypted, runs scripts, starts programs, sends forms or carries
 * other files: none of that is needed to show a certificate.
 */
export async function checkPdf(buffer: Buffer): Promise<void> {
  const text = buffer.toString('latin1')
  if (!text.startsWith('%PDF-') || !text.slice(-2048).includes('%%EOF')) throw unfit()
  if (active.test(text) || encrypted.test(text)) throw unfit()
  await checkStreams(buffer, text).catch(() => {
    throw unfit()
  })
}
