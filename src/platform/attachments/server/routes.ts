import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { QueryOf } from '#engine'
import { AttachVisible } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import { type AttachRow, callerOf } from '../../access/server/caller.ts'
import { attachDetail, attachFile, publicFile, putFile, putFileAttach, uploadAttach } from '../../files/contract.ts'
import { forgetUploads } from '../../files/upload-day.ts'
import { person } from '../../http/server/access.ts'
import { disposition } from '../../http/server/disposition.ts'
import { oneFile } from '../../http/server/form.ts'
import { Refusal, refuse } from '../../http/server/refusal.ts'
import { serve } from '../../http/server/serve.ts'
import { countDownload, noteDownload, readableFile } from './access.ts'
import { isSigned } from './links.ts'
import { purgeFiles } from './purge.ts'
import { scanOpen } from './scan.ts'
import { keepUpload } from './upload.ts'

const isPicture = (row: AttachRow) => row.contentType === 'image/jpeg' || row.contentType === 'image/png'

/** Uploads and downloads: `/blade-resource/attach` and the upload calls of `/blade-resource/oss/endpoint`. */
export default async function attachRoutes(app: FastifyInstance): Promise<void> {
  uploads(app)
  downloads(app)
  const { every } = app.jobs
  every({ name: 'attach-purge', title: '清理附件', seconds: 3600, work: () => purgeFiles(app) })
  every({
    name: 'upload-days',
    title: '清理上传计数',
    seconds: 3600,
    harmlessToPause: true,
    work: () => forgetUploads(app.db, app.now()),
  })
  every({ name: 'attach-scan', title: '扫描附件', seconds: 60, work: () => scanOpen(app) })
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

type Asked = QueryOf<typeof uploadAttach>

function uploads(app: FastifyInstance): void {
  const keep = async (request: FastifyRequest, asked: Asked) => {
    const { bytes, filename } = oneFile(request)
    return storedOf(await keepUpload(callerOf(app, request), app.storage, { bytes: await bytes(), filename, ...asked }))
  }
  serve(app, uploadAttach, ({ query, request }) => keep(request, query))
  for (const one of [putFile, putFileAttach])
    serve(app, one, async ({ query: { owner = 'avatar', ...query }, request }) => ({
      ...(await keep(request, { owner, ...query })),
      domain: '',
    }))
}

type DownloadQuery = QueryOf<typeof attachFile>

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
  serve(app, attachDetail, async ({ query, request }) => {
    const who = person(request)
    const keepsFiles = who.permissions.has('attach_view')
    const found = keepsFiles
      ? await scoped(app, who, 'attach').where('id', '=', query.id).selectAll().executeTakeFirst()
      : undefined
    return found ?? readableFile(app, who, query.id, false)
  })
  for (const one of [attachFile, publicFile])
    serve(app, one, async ({ query: asked, request, reply }) => {
      const signed = isSigned({ vault: app.vault, now: app.now() }, asked)
      const row = await readableFile(app, request.person, asked.id, signed)
      if (!asked.w && asked.inline !== 1) await countDownload(app, row)
      if (!signed) await noteDownload(app, request, row)
      // A signed address stands in an <img> or a viewer: it is there to be shown.
      return sendFile(app, row, signed ? { ...asked, inline: asked.inline ?? 1 } : asked, reply)
    })
}
