import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { QueryOf } from '#engine'
import { AttachVisible } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import { type AttachRow, callerOf } from '../../access/server/caller.ts'
import { attachAddress, attachDetail, attachFile, publicFile } from '../../files/contract.ts'
import { openPicture } from '../../files/picture.ts'
import { forgetUploads } from '../../files/upload-day.ts'
import { arrivedUpload, putFile, putFileAttach, signUpload, uploadAttach } from '../../files/uploads/contract.ts'
import { person } from '../../http/server/access.ts'
import { disposition } from '../../http/server/disposition.ts'
import { oneFile } from '../../http/server/form.ts'
import { Refusal, refuse } from '../../http/server/refusal.ts'
import { serve } from '../../http/server/serve.ts'
import { countDownload, noteDownload, readableFile } from './access.ts'
import { signArrival, sweepArrivals, takeArrival } from './arrival.ts'
import { isSigned, signedUrl } from './links.ts'
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
  every({ name: 'arrival-purge', title: '清理未完成的上传', seconds: 3600, work: () => sweepArrivals(app) })
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
  serve(app, signUpload, async ({ body: { name: filename, ...asked }, request }) => ({
    ...(await signArrival(app, request, { filename, ...asked })),
  }))
  serve(app, arrivedUpload, async ({ body: { id }, request }) => ({
    ...storedOf(await takeArrival(app, callerOf(app, request), id)),
    domain: '',
  }))
}

type DownloadQuery = QueryOf<typeof attachFile>

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** What a program says of itself that must not be sent on to another server, as a redirect would. */
const confidential = ['authorization', 'blade-auth', 'blade-requested-with', 'token'] as const

/**
 * An address in the bucket for a file that is saved. Browsers follow to it that were sent here by a link; who asks with headers of
 * their own is answered here, because those would go to the bucket as well.
 */
function elsewhere(app: FastifyInstance, row: AttachRow, { headers }: FastifyRequest): string | null {
  if (confidential.some(name => headers[name] !== undefined)) return null
  return app.storage.address(row.name, { name: row.originalName, type: row.contentType })
}

async function sendFile(app: FastifyInstance, row: AttachRow, asked: DownloadQuery, { request, reply }: Exchange) {
  const shown = asked.inline === 1 && (isPicture(row) || row.contentType === 'application/pdf')
  const isSaved = !shown && !(asked.w && isPicture(row))
  const there = isSaved ? elsewhere(app, row, request) : null
  if (there) return reply.header('cache-control', 'no-store').redirect(there)
  reply
    .header('content-disposition', disposition(row.originalName, shown ? 'inline' : 'attachment'))
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', row.visible === AttachVisible.public ? 'public, max-age=300' : 'private, max-age=300')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .type(row.contentType)
  if (!asked.w || !isPicture(row)) return reply.send(await begun(app.storage.open(row.name)))
  const bytes = await app.storage.get(row.name).catch(missing)
  const picture = await openPicture(bytes)
  return reply.send(await picture.resize({ width: asked.w, withoutEnlargement: true }).toBuffer())
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
      return sendFile(app, row, signed ? { ...asked, inline: asked.inline ?? 1 } : asked, { request, reply })
    })
  serve(app, attachAddress, async ({ query: { id }, request }) => {
    const row = await readableFile(app, person(request), id, false)
    await noteDownload(app, request, row)
    return { url: `${signedUrl({ vault: app.vault, now: app.now() }, id)}&inline=0` }
  })
}
