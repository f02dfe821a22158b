import { PassThrough, type Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** One file of an archive. */
export interface ZipEntry {
  /** Path inside the archive, folders by `/`; its parts must have gone through {@link cleanName}. */
  name: string
  time: Date
  /** Opens it when its turn has come. */
  open: () => Promise<Readable | Buffer>
  /** False for what is packed already, pictures and PDFs. */
  compress?: boolean
}

/** Characters that no file system, or no reader, is to meet in a name. */
const unsafe = /[\\/:*?"<>|]|[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const longest = 80

/**
 * A name that every file system takes: no path, control or direction characters, no reserved word, at most 80 characters
 * with its ending kept.
 */
export function cleanName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
  const named = reserved.test(plain) ? `_${plain}` : plain || '_'
  const letters = [...named]
  if (letters.length <= longest) return named
  const ending = /\.[0-9A-Za-z]{1,5}$/.exec(named)?.[0] ?? ''
  return `${letters.slice(0, longest - ending.length).join('')}${ending}`
}

/** Gives each name once: the second of the same gets ` (2)` before its ending. */
export function distinctNames(): (name: string) => string {
  const taken = new Map<string, number>()
  return name => {
    const key = name.toLowerCase()
    const n = (taken.get(key) ?? 0) + 1
    taken.set(key, n)
    return n === 1 ? name : name.replace(/(\.[^./]*)?$/, ending => ` (${n})${ending}`)
  }
}

const streamOf = (content: Readable | Buffer): Readable =>
  Buffer.isBuffer(content) ? new PassThrough().end(content) : content

/** Adds one file and waits until it has gone through, so that never more than one is open. */
async function add(zip: ZipFile, entry: ZipEntry, gone: Promise<never>): Promise<void> {
  let opened: Readable | undefined
  const added = new Promise<void>((resolve, reject) => {
    zip.addReadStreamLazy(entry.name, { mtime: entry.time, compress: entry.compress ?? true }, give => {
      entry.open().then(content => {
        opened = streamOf(content)
        opened.once('end', resolve).once('error', reject)
        give(null, opened)
      }, reject)
    })
  })
  try {
    await Promise.race([added, gone])
  } finally {
    // Without effect on a stream that has ended: whoever makes the bytes is to stop when nobody takes them.
    opened?.destroy()
  }
}

/**
 * An archive as a stream: each file is made or opened when the one before has been sent, so memory does not grow with
 * their number. When the reader goes away, or a file fails, the source is told to end.
 */
export function streamZip(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  const gone = new Promise<never>((_, reject) => {
    output.once('close', () => reject(new Error('the reader of the archive went away')))
  })
  gone.catch(() => {})
  zip.on('error', error => output.destroy(error as Error))
  zip.outputStream.pipe(output)
  const fill = async () => {
    for await (const entry of entries) await add(zip, entry, gone)
    zip.end()
  }
  fill().catch(error => output.destroy(error as Error))
  return output
}
