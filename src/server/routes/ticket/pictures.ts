import '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keepUpload } from '../../actions/attach/upload.ts'
import { callerOf } from '../../actions/signup/caller.ts'
import { pictureSlots } from '../../actions/ticket/steps.ts'
import { refuse } from '../../domain/refusal.ts'

/** A picture as it arrived, with the slot it is for. */
interface Sent {
  slot: string
  bytes: Buffer
  filename: string
}

/**
 * The pictures of a form; what stands beside them becomes the body. A call without a form has uploaded them before.
 * @throws 29005 for a file that is for no slot, 28002
 */
export async function picturesSent(request: FastifyRequest): Promise<{ files: Sent[] }> {
  if (!request.isMultipart()) return { files: [] }
  const files: Sent[] = []
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts({ limits: { files: pictureSlots.length } })) {
    if (part.type === 'field') fields[part.fieldname] = part.value
    else if (!pictureSlots.some(slot => slot === part.fieldname))
      throw refuse(29005, { 说明: `不支持的参数：${part.fieldname.slice(0, 20)}` })
    else files.push({ slot: part.fieldname, bytes: await part.toBuffer(), filename: part.filename })
  }
  request.body = fields
  return { files }
}

/** Keeps pictures as uploads of their own. @returns the attachment of each slot @throws 28001–28004 */
export async function keepPictures(
  app: FastifyInstance,
  request: FastifyRequest,
  files: readonly Sent[],
): Promise<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const { slot, ...file } of files)
    kept[slot] = (await keepUpload(callerOf(app, request), app.storage, { ...file, owner: 'ticketpic' })).id
  return kept
}
