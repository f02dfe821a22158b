import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { platformHeaders } from '../wechat/signature.ts'
import {
  type ApiAnswer,
  authenticate,
  closeNative,
  createNative,
  createRefund,
  queryNative,
  queryRefund,
  tradeBill,
} from './api.ts'
import { billToken, writeBill } from './bill.ts'
import { cashierPage, cashierStyle, missingPage } from './cashier.ts'
import type { SandboxMerchant } from './merchant.ts'
import { sendDueNotifies } from './notify.ts'
import { findOrder, payOrder } from './orders.ts'

/** The path of the sandbox on this server. */
export const sandboxPath = '/sandbox/wxpay'

/** What the sandbox needs around it. */
export interface SandboxOptions {
  pool: Pool
  merchant: SandboxMerchant
  now: () => Date
  /** The address people's phones reach this server by, without a slash at the end. */
  publicUrl: () => string
  /** Milliseconds between looks for due notifications; 0 looks only when somebody pays. */
  interval: number
}

const open = { config: { access: 'public' as const } }

/**
 * A WeChat Pay of our own: the API of version 3 with real signatures and ciphers, and a cashier page instead of the
 * app. Register it with the prefix {@link sandboxPath}, in demo mode only.
 */
export default async function sandbox(app: FastifyInstance, options: SandboxOptions): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 65_536 }, (_request, body, done) => done(null, body))
  apiRoutes(app, options)
  refundRoutes(app, options)
  billRoutes(app, options)
  cashierRoutes(app, options)
  keepNotifying(app, options)
}

function apiRoutes(app: FastifyInstance, { pool, merchant, now, publicUrl }: SandboxOptions): void {
  const signed = signedBy(merchant, now)
  const orderPath = '/v3/pay/transactions/out-trade-no/:orderNo'
  const orderNo = (request: FastifyRequest) => (request.params as { orderNo: string }).orderNo
  const codeUrl = (order: { pr: string }) => `${publicUrl()}${sandboxPath}/cashier/${order.pr}`

  app.post(
    '/v3/pay/transactions/native',
    open,
    signed(request => createNative(pool, merchant, bodyOf(request), codeUrl)),
  )
  app.get(
    orderPath,
    open,
    signed(request => queryNative(pool, merchant, orderNo(request), (request.query as { mchid?: string }).mchid ?? '')),
  )
  app.post(
    `${orderPath}/close`,
    open,
    signed(request => closeNative(pool, orderNo(request))),
  )
}

type Answering = (request: FastifyRequest) => Promise<ApiAnswer>

/** A route of the API: the request must be signed by the merchant, the answer is signed by the platform. */
const signedBy =
  (merchant: SandboxMerchant, now: () => Date) =>
  (handle: Answering) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const { authorization } = request.headers
    const asked = { method: request.method, path: request.url, authorization, body: bodyOf(request) }
    const { status, body } = authenticate(merchant, asked, now()) ?? (await handle(request))
    const seconds = Math.floor(now().getTime() / 1000)
    reply.code(status).headers(platformHeaders(body, seconds, merchant.platformSerial, merchant.platformPrivateKey))
    if (body) reply.type('application/json')
    return reply.send(body || undefined)
  }

function refundRoutes(app: FastifyInstance, { pool, merchant, now }: SandboxOptions): void {
  const signed = signedBy(merchant, now)
  app.post(
    '/v3/refund/domestic/refunds',
    open,
    signed(request => createRefund(pool, bodyOf(request), now())),
  )
  app.get(
    '/v3/refund/domestic/refunds/:refundNo',
    open,
    signed(request => queryRefund(pool, (request.params as { refundNo: string }).refundNo, now())),
  )
}

function billRoutes(app: FastifyInstance, { pool, merchant, now }: SandboxOptions): void {
  const signed = signedBy(merchant, now)
  app.get(
    '/v3/bill/tradebill',
    open,
    signed(request => {
      const base = `${request.protocol}://${request.host}${app.prefix}`
      return tradeBill(pool, merchant, (request.query as { bill_date?: string }).bill_date ?? '', now(), base)
    }),
  )
  app.get('/v3/billdownload/file', open, async (request, reply) => {
    const { day = '', token } = request.query as { day?: string; token?: string }
    const bill = token === billToken(merchant, day) ? await writeBill(pool, merchant, day, now()) : null
    return bill === null ? reply.code(404).send() : reply.type('text/csv; charset=utf-8').send(bill)
  })
}

function cashierRoutes(app: FastifyInstance, { pool, merchant, now }: SandboxOptions): void {
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const order = await findOrder(pool, 'pr', (request.params as { pr: string }).pr)
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .code(order ? 200 : 404)
    return reply.send(order ? cashierPage(order, sandboxPath, now()) : missingPage(sandboxPath))
  }
  app.get('/cashier.css', open, async (_request, reply) => reply.type('text/css; charset=utf-8').send(cashierStyle))
  app.get('/cashier/:pr', open, show)
  app.post('/cashier/:pr', open, async (request, reply) => {
    const paid = await payOrder(pool, (request.params as { pr: string }).pr, now())
    if (paid) sendDueNotifies(pool, merchant, now).catch(error => request.log.error(error))
    return show(request, reply)
  })
}

function keepNotifying(app: FastifyInstance, { pool, merchant, now, interval }: SandboxOptions): void {
  if (!interval) return
  const timer = setInterval(() => {
    sendDueNotifies(pool, merchant, now).catch(error => app.log.error(error))
  }, interval)
  app.addHook('onClose', async () => clearInterval(timer))
}

function bodyOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : ''
}
