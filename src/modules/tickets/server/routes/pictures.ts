import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ticketPictureNames } from '#schemas/tickets/ticket-pictures'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { keepUpload } from '../../../../platform/attachments/server/upload.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'

/** A picture as it arrived, with the slot it is for. */
interface Sent {
  slot: string
  bytes: Buffer
  filename: string
}

/**
 * The pictures of a form; a call without one has uploaded them before.
 * @throws input.invalid for a file that is for no slot
 */
export async function picturesSent(request: FastifyRequest): Promise<{ files: Sent[] }> {
  const files: Sent[] = []
  for (const { field: slot, filename, bytes } of request.form?.files ?? []) {
    if (!ticketPictureNames.some(one => one === slot))
      throw refuse('input.invalid', { 说明: `不支持的参数：${slot.slice(0, 20)}` })
    files.push({ slot, bytes: await bytes(), filename })
  }
  return { files }
}

/**
 * Keeps pictures as uploads of their own.
 * @returns the attachment of each slot
 * @throws file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit
 */
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
