import http from 'node:http'
import https from 'node:https'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { Refusal } from '../domain/refusal.ts'
import { notFound, ok } from './envelope.ts'

/** Headers that belong to one connection and are not passed on. */
const ownHeaders = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-authorization'])

/** Milliseconds of silence after which the other server counts as out of reach; its own calls may take this long. */
const patience = 60_000

const unreachable = () => new Refusal(500, 500, '服务暂时无法连接，请稍后再试')
const noData = () => new Refusal(500, 500, '所连接的服务返回的不是数据，请联系管理员检查服务地址')

/** What the gateway to another Blade server is told. */
export type GatewayConfig = Pick<Config, 'bladeApi'> &
  Partial<Pick<Config, 'bladeClient' | 'bladePublicKey' | 'captchaMode' | 'tenantMode' | 'switchMode' | 'registerMode'>>

/** What the sign-in page asks of a site. The other server has no call for it, so the environment says it. */
export const gatewaySite = ({
  captchaMode = false,
  tenantMode = false,
  switchMode = false,
  registerMode = false,
}: GatewayConfig) => ({
  title: '聚贤考试报名系统',
  ...{ captchaMode, tenantMode, switchMode, registerMode },
  ...{ registerAudit: true, demo: false, smsMode: false, registerSms: false, smsSandbox: '', demoAccounts: [] },
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
  // Proxies and servers without our calls answer with pages for people.
  if (/^text\/html\b/i.test(String(answer.headers['content-type'] ?? ''))) {
    answer.resume()
    const { statusCode = 500 } = answer
    throw statusCode === 404 ? notFound() : statusCode > 500 ? unreachable() : noData()
  }
  const known = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name))
  return reply
    .code(Math.min(answer.statusCode ?? 500, 500))
    .headers(Object.fromEntries(known))
    .send(answer)
}
