import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AttachVisible } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import { type AttachRow, callerOf } from '../../access/server/caller.ts'
import { forgetUploads } from '../../files/upload-day.ts'
import { person } from '../../http/server/access.ts'
import { disposition } from '../../http/server/disposition.ts'
import { ok } from '../../http/server/envelope.ts'
import { oneFile } from '../../http/server/form.ts'
import { Refusal, refuse } from '../../http/server/refusal.ts'
import { id, query } from '../../http/server/schemas.ts'
import { countDownload, noteDownload, readableFile } from './access.ts'
import { type OwnerType, uploadKinds } from './kinds.ts'
import { isSigned } from './links.ts'
import { purgeFiles } from './purge.ts'
import { scanOpen } from './scan.ts'
import { keepUpload } from './upload.ts'

/** Largest upload of all kinds, in KB. */
const mostKB = 20_480
/** Pictures are shown at most this wide, in pixels. */
const widest = 1600

const form = { files: 1, KB: mostKB, fields: 10, fieldKB: 1 }

const signedIn = { access: 'signed-in' } as const
const isPicture = (row: AttachRow) => row.contentType === 'image/jpeg' || row.contentType === 'image/png'

/** Uploads and downloads: `/blade-resource/attach` and the upload calls of `/blade-resource/oss/endpoint`. */
export default async function attachRoutes(app: FastifyInstance): Promise<void> {
  uploads(app)
  downloads(app)
  app.jobs.every(3600, 'attach-purge', () => purgeFiles(app))
  app.jobs.every(3600, 'upload-days', () => forgetUploads(app.db, app.now()))
  app.jobs.every(60, 'attach-scan', () => scanOpen(app))
}

interface UploadQuery {
  owner: OwnerType
  examId?: string
  fileCode?: string
}

/** What is answered about a file that was taken. */
const storedOf = (row: Awaited<ReturnType<typeof keepUpload>>) => ({
  attachId: row.id,
  link: row.link,
  name: row.name,
  originalName: row.originalName,
  size: row.attachSize,
  extension: row.extension,
  contentType: row.contentType,
  ...(row.width ? { width: row.width, height: row.height } : {}),
})

function uploads(app: FastifyInstance): void {
  const keep = async (request: FastifyRequest, asked: UploadQuery) => {
    const { bytes, filename } = oneFile(request)
    return keepUpload(callerOf(app, request), app.storage, { bytes: await bytes(), filename, ...asked })
  }
  const about = {
    owner: { type: 'string', enum: Object.keys(uploadKinds) },
    examId: id,
    fileCode: { type: 'string', maxLength: 50 },
  }
  app.post<{ Querystring: UploadQuery }>(
    '/api/blade-resource/attach/upload',
    { config: { ...signedIn, form }, schema: query(about, ['owner']) },
    async request => ok(storedOf(await keep(request, request.query))),
  )
  // Clients of Blade say no more than the file: then it is a picture of the person.
  for (const path of ['put-file', 'put-file-attach']) {
    app.post<{ Querystring: Partial<UploadQuery> }>(
      `/api/blade-resource/oss/endpoint/${path}`,
      { config: { ...signedIn, form }, schema: query(about) },
      async request => ok({ ...storedOf(await keep(request, { owner: 'avatar', ...request.query })), domain: '' }),
    )
  }
}

interface DownloadQuery {
  id: string
  w?: number
  inline?: number
  exp?: number
  sig?: string
}

async function sendFile(app: FastifyInstance, row: AttachRow, asked: DownloadQuery, reply: FastifyReply) {
  const shown = asked.inline === 1 && (isPicture(row) || row.contentType === 'application/pdf')
  reply
    .header('content-disposition', disposition(row.originalName, shown ? 'inline' : 'attachment'))
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', row.visible === AttachVisible.public ? 'public, max-age=300' : 'private, max-age=300')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .type(row.contentType)
  if (!asked.w || !isPicture(row)) return reply.send(await begun(app.storage.open(row.name)))
  const { default: sharp } = await import('sharp')
  const bytes = await app.storage.get(row.name).catch(missing)
  return reply.send(await sharp(bytes).resize({ width: asked.w, withoutEnlargement: true }).toBuffer())
}

/** A file whose bytes are gone is not there; a storage that is down is another matter. */
function missing(error: Error): never {
  throw error instanceof Refusal ? error : refuse('file.notFound')
}

/** A stream that has begun to give its bytes: before that a refusal can still be answered. */
async function begun(stream: Readable): Promise<Readable> {
  await new Promise((resolve, reject) => {
    stream.once('readable', resolve).once('end', resolve).once('error', reject)
  }).catch(missing)
  return stream
}

function downloads(app: FastifyInstance): void {
  const schema = query(
    {
      id,
      w: { type: 'integer', minimum: 1, maximum: widest },
      inline: { type: 'integer', enum: [0, 1] },
      exp: { type: 'integer' },
      sig: { type: 'string', maxLength: 64 },
    },
    ['id'],
  )
  app.get<{ Querystring: { id: string } }>(
    '/api/blade-resource/attach/detail',
    { config: signedIn, schema: query({ id }, ['id']) },
    async request => {
      const who = person(request)
      const keepsFiles = who.permissions.has('attach_view')
      const found = keepsFiles
        ? await scoped(app, who, 'attach').where('id', '=', request.query.id).selectAll().executeTakeFirst()
        : undefined
      return ok(found ?? (await readableFile(app, who, request.query.id, false)))
    },
  )
  const send = async (request: FastifyRequest<{ Querystring: DownloadQuery }>, reply: FastifyReply) => {
    const asked = request.query
    const signed = isSigned({ vault: app.vault, now: app.now() }, asked)
    const row = await readableFile(app, request.person, asked.id, signed)
    if (!asked.w && asked.inline !== 1) await countDownload(app, row)
    if (!signed) await noteDownload(app, request, row)
    // A signed address stands in an <img> or a viewer: it is there to be shown.
    return sendFile(app, row, signed ? { ...asked, inline: asked.inline ?? 1 } : asked, reply)
  }
  for (const url of ['/api/blade-resource/attach/download', '/api/public/download']) {
    app.get<{ Querystring: DownloadQuery }>(url, { config: { access: 'public' }, schema }, send)
  }
}
