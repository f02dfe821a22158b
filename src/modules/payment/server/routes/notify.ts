import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotifyError } from '../../../../platform/channels/pay/channel.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { payNotify, refundNotify } from '../../contract.ts'
import { payContext } from '../context.ts'
import { acceptNotify } from '../notify.ts'
import { acceptRefundNotify } from '../refund-channel.ts'

/** Largest notification, in bytes. */
const bodyLimit = 65_536

type Accept = typeof acceptNotify | typeof acceptRefundNotify

/** What asks for somebody to look. */
const troubling = ['unknown', 'exception', 'abnormal']

/**
 * The channel's notifications. Anybody can call it, so nothing is believed before its signature is checked over the bytes as
 * they came; what is refused changes nothing. An order nobody knows is answered 200 and kept for somebody to look at.
 */
export async function notifyRoutes(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
  const answer =
    (accept: Accept) =>
    async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      try {
        const outcome = await accept(payContext(app), request.headers, rawBody)
        if (troubling.includes(outcome)) request.log.warn({ outcome }, 'payment needs a look')
        return await reply.code(200).send()
      } catch (error) {
        const forged = error instanceof NotifyError
        if (forged) request.log.warn({ fault: error.fault, ip: request.ip }, 'payment notification refused')
        else request.log.error({ err: error }, 'payment notification failed')
        const { status, message } = forged
          ? refuse('payment.signatureInvalid')
          : { status: 500, message: '处理失败，请重试' }
        return reply.code(status).send({ code: 'FAIL', message })
      }
    }
  serve(app, payNotify, answer(acceptNotify))
  serve(app, refundNotify, answer(acceptRefundNotify))
}
