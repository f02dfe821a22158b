import http from 'node:http'
import https from 'node:https'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Refusal } from '../domain/refusal.ts'

/** Headers that belong to one connection and are not passed on. */
const ownHeaders = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-authorization'])

/** Passes every call to another Blade server: what remains here is the web application. */
export default fp<{ target: string }>(
  async (app, { target }) => {
    await app.register(async scope => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.all('/api/*', { config: { access: 'public' } }, (request, reply) => pass(request, reply, target))
    })
  },
  { name: 'gateway' },
)

async function pass(request: FastifyRequest, reply: FastifyReply, target: string): Promise<FastifyReply> {
  const goal = new URL(request.url.replace(/^\/api/, ''), `${target.replace(/\/$/, '')}/`)
  goal.pathname = `${new URL(target).pathname.replace(/\/$/, '')}${goal.pathname}`
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name)))
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const { request: send } = goal.protocol === 'https:' ? https : http
    const call = send(goal, { method: request.method, headers }, resolve)
    call.on('error', () => reject(new Refusal(500, 500, '服务暂时无法连接，请稍后再试')))
    request.raw.pipe(call)
  })
  const known = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name))
  return reply
    .code(Math.min(answer.statusCode ?? 500, 500))
    .headers(Object.fromEntries(known))
    .send(answer)
}
