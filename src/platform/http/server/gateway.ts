import http from 'node:http'
import https from 'node:https'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { AnswerOf } from '#engine'
import type { Config } from '../../config/config.ts'
import type { siteInfo } from '../contract.ts'
import { notFound, ok } from './envelope.ts'
import { type Refusal, refuseSaying } from './refusal.ts'

/** Headers that belong to one connection and are not passed on; answers are looked into, and compressed for the browser here. */
const ownHeaders = new Set([
  'host',
  'accept-encoding',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-authorization',
])

/** Milliseconds of silence after which the other server counts as out of reach; its own calls may take this long. */
const patience = 60_000

const unreachable = () => refuseSaying('request.failed', '服务暂时无法连接，请稍后再试')
const noData = () => refuseSaying('request.failed', '所连接的服务返回的不是数据，请联系管理员检查服务地址')

/** The status of what a browser has kept from before. */
const NOT_MODIFIED = 304
/** Bytes that a refusal may have; its body is looked into. */
const LONGEST_REFUSAL = 1_000_000

/** What the gateway to another Blade server is told. */
export type GatewayConfig = Pick<Config, 'bladeApi'> &
  Partial<Pick<Config, 'bladeClient' | 'bladePublicKey' | 'captchaMode' | 'tenantMode' | 'switchMode' | 'registerMode'>>

/** What the sign-in page asks of a site. The other server has no call for it, so the environment says it. */
export const gatewaySite = ({
  captchaMode = false,
  tenantMode = false,
  switchMode = false,
  registerMode = false,
}: GatewayConfig): AnswerOf<typeof siteInfo> => ({
  title: '聚贤考试报名系统',
  captchaMode,
  tenantMode,
  switchMode,
  registerMode,
  registerAudit: true,
  demo: false,
  smsMode: false,
  registerSms: false,
  smsSandbox: '',
  demoAccounts: [],
  captchaPicture: true,
  asksProof: false,
})

/** Passes every call to another Blade server: what remains here is the web application, and what only it asks for. */
export default fp<GatewayConfig>(
  async (app, config) => {
    await app.register(async scope => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      ownCalls(scope, config)
      scope.all('/api/*', { config: { access: 'public' } }, (request, reply) => pass(request, reply, config))
    })
  },
  { name: 'gateway' },
)

/** Calls of our pages alone. */
function ownCalls(app: FastifyInstance, config: GatewayConfig): void {
  const open = { config: { access: 'public' } } as const
  const { bladePublicKey: publicKey } = config
  app.get('/api/public/site', open, async () => ok(gatewaySite(config)))
  // Without numbers of ours the page encrypts the password alone, as that server reads it.
  if (publicKey) app.get('/api/blade-auth/oauth/public-key', open, async () => ok({ publicKey }))
}

/** The header by which the other server knows the web application. */
function clientHeader({ bladeClient }: GatewayConfig): Record<string, string> {
  return bladeClient ? { authorization: `Basic ${Buffer.from(bladeClient).toString('base64')}` } : {}
}

async function pass(request: FastifyRequest, reply: FastifyReply, config: GatewayConfig): Promise<FastifyReply> {
  const target = config.bladeApi ?? ''
  const goal = new URL(request.url.replace(/^\/api/, ''), `${target.replace(/\/$/, '')}/`)
  goal.pathname = `${new URL(target).pathname.replace(/\/$/, '')}${goal.pathname}`
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name)))
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const { request: send } = goal.protocol === 'https:' ? https : http
    const call = send(goal, { method: request.method, headers: { ...headers, ...clientHeader(config) } }, resolve)
    call.on('error', () => reject(unreachable()))
    call.setTimeout(patience, () => call.destroy())
    request.raw.pipe(call)
  })
  reply.header('x-other-server', '1')
  const { statusCode = 500 } = answer
  const known = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name))
  const isData = (statusCode < 300 && !isPage(answer)) || statusCode === NOT_MODIFIED
  const body = isData ? answer : await refusal(answer, statusCode)
  return reply.code(Math.min(statusCode, 500)).headers(Object.fromEntries(known)).send(body)
}

const typeOf = ({ headers }: http.IncomingMessage): string => String(headers['content-type'] ?? '')

/** A page for people, as proxies and servers without our calls answer. */
const isPage = (answer: http.IncomingMessage): boolean => /^text\/html\b/i.test(typeOf(answer))

/** What stands for an answer without words that our pages understand. */
const wordless = (status: number): Refusal => (status === 404 ? notFound() : status > 500 ? unreachable() : noData())

/**
 * The body of what is no plain success, as it came, where it is an envelope with a code of its own.
 * @throws what its status means otherwise: proxies and frameworks refuse in their own forms, and lead elsewhere
 */
async function refusal(answer: http.IncomingMessage, status: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LONGEST_REFUSAL) throw wordless(status)
    parts.push(part)
  }
  const body = Buffer.concat(parts).toString()
  if (!saysCode(body)) throw wordless(status)
  return body
}

function saysCode(body: string): boolean {
  try {
    const { code, error_code } = JSON.parse(body) as Record<string, unknown>
    return Number.isFinite(Number(code ?? error_code ?? Number.NaN))
  } catch {
    return false
  }
}
