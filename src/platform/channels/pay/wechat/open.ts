import type { FastifyInstance, FastifyReply } from 'fastify'
import { serve } from '../../../http/server/serve.ts'
import type { NotifyingChannel } from '../channel.ts'
import type { ChannelSurroundings, OpenChannel, Told } from '../kind.ts'
import { readBill } from './bill.ts'
import { payNotify, refundNotify } from './contract.ts'

/** Largest notification, in bytes. */
const bodyLimit = 65_536

function answer(reply: FastifyReply, told: Told): FastifyReply {
  if (told.isTaken) return reply.code(200).send()
  return reply.code(told.status).send({ code: 'FAIL', message: told.message })
}

/**
 * Opens a channel that implements the protocol of WeChat Pay, with the calls by which it is told. Anybody can make them, so
 * nothing counts before its signature is checked over the bytes as they came.
 * @param address where the provider reaches the server
 */
export async function openWechat(
  app: FastifyInstance,
  channel: NotifyingChannel,
  { told, toldRefund }: ChannelSurroundings,
  address: () => string,
): Promise<OpenChannel> {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
    const bytesOf = (body: unknown) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
    serve(scope, payNotify, async ({ request, reply }) => {
      const raw = bytesOf(request.body)
      return answer(reply, await told(request, raw, () => channel.verifyNotify(request.headers, raw)))
    })
    serve(scope, refundNotify, async ({ request, reply }) => {
      const raw = bytesOf(request.body)
      return answer(reply, await toldRefund(request, raw, () => channel.verifyRefundNotify(request.headers, raw)))
    })
  })
  return {
    channel,
    readBill,
    notifyUrl: () => `${address()}/api${payNotify.path}`,
    refundNotifyUrl: () => `${address()}/api${refundNotify.path}`,
  }
}
