import type { FastifyReply, FastifyRequest } from 'fastify'
import { person as callerOf } from '../platform/http/server/access.ts'
import { type Envelope, ok } from '../platform/http/server/envelope.ts'
import { type Entry, type ExportKind, workbookType } from './export-kind.ts'
import { endExport, enterExport, registered } from './export-register.ts'

/** Offers an answer as a file to keep. */
export function asFile(reply: FastifyReply, name: string, type = workbookType): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
}

/**
 * Answers an export: a small one with its file, a large one with `{taskId, background: 1}` and the file is made in the
 * background. Either is entered in the register.
 * @throws what the kind's count throws, workbook.exportRunning while the same one is not ended, input.tooOften with too
 * many waiting
 */
export async function answerExport<Order extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: ExportKind<Order>,
  order: Order,
  entry: Entry,
): Promise<FastifyReply | Envelope> {
  const { server: app } = request
  const person = callerOf(request)
  const rows = await kind.count({ app, person }, order, kind.atOnce + 1)
  if (rows > kind.atOnce) {
    const taskId = await app.exports.ask(person, kind, order, entry)
    return ok({ taskId, background: 1 }, '数据较多，已转入后台导出')
  }
  const id = await enterExport(app, person, entry, order)
  try {
    const file = await kind.make({ app, person }, order, given => registered(app, id, given))
    return asFile(reply, file.name, file.contentType).send(file.bytes)
  } catch (error) {
    await endExport(app, id, false, 0)
    throw error
  }
}
