import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { advice } from '../../files/file-advice.ts'
import { countFor } from '../../files/upload-day.ts'
import type { Work } from '../../queue/work.ts'
import { Refusal, refuse } from './refusal.ts'

/** What a call takes as a form with files. */
export interface FormRule {
  /** Files, at most. */
  files: number
  /** KB of one file, at most. */
  KB: number
  /** KB of all files together, at most. */
  allKB?: number
  /** Fields beside the files, at most; 50 by default. */
  fields?: number
  /** KB of one field, at most; 64 by default. */
  fieldKB?: number
  /** The work its handler does, of which nobody does much at once. */
  work?: Work
}

/** A file of a form. */
export interface SentFile {
  /** Name of its field. */
  field: string
  filename: string
  size: number
  /** SHA-256 of its bytes, in hexadecimal. */
  sha256: string
  /** Its bytes, read from where they are kept until the answer has been sent. */
  bytes(): Promise<Buffer>
}

/** A form as it arrived, whatever the order of its parts. */
export interface SentForm {
  fields: Record<string, string>
  files: readonly SentFile[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The form with files this call takes; a call without it takes none. */
    form?: FormRule
  }
  interface FastifyRequest {
    /** The form the call came with; null when it came with none. */
    form: SentForm | null
  }
}

const KB = 1024
/** Bytes of files that one request keeps in memory while the rest is on its way; more of them wait on the disk. */
const mostHeld = 512 * KB
/** Folder below the data for files on their way in. They have no name there and end with their request or process. */
const folder = 'incoming'

/** Where the bytes of one file wait: in memory, and on the disk once the request's share of it is used up. */
class FileBuffer {
  readonly #folder: string
  readonly #hash = createHash('sha256')
  #chunks: Buffer[] = []
  #file: FileHandle | undefined
  size = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param room bytes of memory that are left @returns how many of them are used up, negative when some are given back */
  async add(chunk: Buffer, room: number): Promise<number> {
    this.#hash.update(chunk)
    const before = this.size
    this.size += chunk.length
    if (this.#file) {
      await this.#file.write(chunk)
      return 0
    }
    this.#chunks.push(chunk)
    if (chunk.length <= room) return chunk.length
    await this.#toDisk()
    return -before
  }

  async #toDisk(): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const name = path.join(this.#folder, randomUUID())
    this.#file = await open(name, 'wx+', 0o600)
    // Without a name it is gone when it is closed, also by the end of the process.
    await rm(name)
    for (const chunk of this.#chunks.splice(0)) await this.#file.write(chunk)
  }

  async bytes(): Promise<Buffer> {
    if (!this.#file) return Buffer.concat(this.#chunks)
    const bytes = Buffer.allocUnsafe(this.size)
    let at = 0
    while (at < this.size) {
      const { bytesRead } = await this.#file.read(bytes, at, this.size - at, at)
      if (bytesRead === 0) throw new Error('A file on its way in is shorter than it was.')
      at += bytesRead
    }
    return bytes
  }

  sha256 = (): string => this.#hash.copy().digest('hex')

  async close(): Promise<void> {
    this.#chunks = []
    await this.#file?.close()
  }
}

interface Reading {
  rule: FormRule
  folder: string
  kept: FileBuffer[]
  /** Bytes of files so far, and of them those in memory. */
  bytes: number
  held: number
}

/** Takes in one file, to its limit and no further. @throws file.tooLarge */
async function takeFile(reading: Reading, stream: Readable): Promise<FileBuffer> {
  const { rule } = reading
  const kept = new FileBuffer(reading.folder)
  reading.kept.push(kept)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    reading.bytes += chunk.length
    if (kept.size + chunk.length > rule.KB * KB) throw refuse('file.tooLarge', { n: rule.KB, 做法: advice.size })
    if (rule.allKB && reading.bytes > rule.allKB * KB)
      throw refuse('file.tooLarge', { n: rule.allKB, 做法: advice.size })
    reading.held += await kept.add(chunk, mostHeld - reading.held)
  }
  return kept
}

/** The parser's limits. That of a file lies above ours: at its own, the rest of the file is read to its end. */
const limitsOf = ({ files, KB: most, fields = 50, fieldKB = 64 }: FormRule) => ({
  fileSize: most * KB * 2,
  files,
  fields,
  fieldSize: fieldKB * KB,
  parts: files + fields,
})

const tooMany = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'])

/** What the parser objects to, as a refusal. */
function asRefusal(error: Error & { code?: string }): Error {
  if (error instanceof Refusal) return error
  if (tooMany.has(error.code ?? '')) return refuse('input.invalid', { 说明: '表单的字段或文件过多' })
  // A disk that is full is no fault of the caller's.
  if ('syscall' in error) return error
  return refuse('input.invalid', { 说明: '文件没有传完' })
}

async function readParts(request: FastifyRequest, reading: Reading): Promise<SentForm> {
  const fields: Record<string, string> = {}
  const files: SentFile[] = []
  for await (const part of request.parts({ limits: limitsOf(reading.rule) })) {
    if (part.type === 'file') {
      const kept = await takeFile(reading, part.file)
      const { fieldname: field, filename = '' } = part
      // An input that was left empty arrives as a file without name and bytes.
      if (!filename && kept.size === 0) continue
      files.push({ field, filename, size: kept.size, sha256: kept.sha256(), bytes: () => kept.bytes() })
      continue
    }
    const { fieldname, value, valueTruncated } = part
    if (valueTruncated) throw refuse('input.invalid', { 说明: `${fieldname.slice(0, 50)}过长` })
    fields[fieldname] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return { fields, files }
}

/**
 * Reads a whole form before anybody looks at it, so that nothing depends on the order of its parts.
 * @throws input.invalid, file.tooLarge
 */
async function readForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!request.isMultipart() || request.is404) return
  const rule = request.routeOptions.config.form
  if (!rule) throw refuse('request.unsupportedMedia')
  const reading: Reading = {
    rule,
    folder: path.join(request.server.config.dataDir, folder),
    kept: [],
    bytes: 0,
    held: 0,
  }
  reply.raw.once('close', () => {
    void Promise.allSettled(reading.kept.map(one => one.close()))
  })
  request.form = await readParts(request, reading).catch(error => {
    throw asRefusal(error)
  })
  if (reading.bytes > 0) await countFor(request, reading.bytes)
  request.body = { ...request.form.fields }
}

/**
 * The one file of a call.
 * @throws input.invalid without a file, file.typeNotAllowed for one whose name ends otherwise
 */
export function oneFile({ form }: FastifyRequest, ending = ''): SentFile {
  const file = form?.files[0]
  if (!file) throw refuse('input.invalid', { 说明: '请选择文件' }, [{ field: 'file', msg: '请选择文件' }])
  if (!file.filename.toLowerCase().endsWith(ending))
    throw refuse('file.typeNotAllowed', { 做法: ending ? advice.exts([ending.replace(/^\./, '')]) : '' })
  return file
}

/** A workbook or bill to be taken in: 10 MB, as all imports. */
export const oneSheet: FormRule = { files: 1, KB: 10 * KB, work: 'import' }

/** The form of a call; one that came without files is its body. */
export const formOf = (request: FastifyRequest): SentForm =>
  request.form ?? { fields: (request.body ?? {}) as Record<string, string>, files: [] }

/**
 * The one reader of forms with files: a route says in `config.form` what it takes, and its handler meets the whole form, with
 * the fields as its body. A form that no route asks for is refused unread.
 */
export default fp(
  async (app: FastifyInstance) => {
    await app.register(multipart, { throwFileSizeLimit: false })
    app.decorateRequest('form', null)
    app.addHook('preValidation', readForm)
  },
  { name: 'form', dependencies: ['clock'] },
)
