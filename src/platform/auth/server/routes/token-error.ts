import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { messageFor } from '../../../http/server/envelope.ts'
import { Refusal } from '../../../http/server/refusal.ts'

/** Refusals of logging in and registering carry the fields of both dialects; anything else goes the usual way. */
export function answerTokenError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Refusal)) throw error
  const { code, status, data } = error
  if (data && typeof data === 'object' && 'retryAfter' in data) reply.header('retry-after', String(data.retryAfter))
  const message = messageFor(request, error)
  const texts = { error_code: code, error_description: message }
  return reply.code(status).send({ ...texts, code, success: false, msg: message, data: data ?? {} })
}
