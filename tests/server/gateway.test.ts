import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/server/app.ts'
import { testConfig } from '../helper/app.ts'

let blade: http.Server
let app: FastifyInstance

beforeAll(async () => {
  blade = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { url, method, headers } = request
    response.writeHead(url?.includes('teapot') ? 503 : 200, { 'content-type': 'application/json', 'x-blade': 'yes' })
    response.end(JSON.stringify({ url, method, body, token: headers['blade-auth'] }))
  })
  await new Promise<void>(resolve => blade.listen(0, '127.0.0.1', resolve))
  const { port } = blade.address() as AddressInfo
  app = await buildApp(testConfig({ bladeApi: `http://127.0.0.1:${port}/gate` }))
})
afterAll(async () => {
  await app.close()
  blade.close()
})

test('every call goes to the other Blade server, whole', async () => {
  const answer = await app.inject({
    ...{ method: 'POST', url: '/api/blade-system/param/submit?x=1', payload: '{"a":"聚贤"}' },
    headers: { 'content-type': 'application/json', 'blade-auth': 'bearer t' },
  })
  expect(answer.json()).toEqual({
    ...{ url: '/gate/blade-system/param/submit?x=1', method: 'POST', body: '{"a":"聚贤"}', token: 'bearer t' },
  })
  expect(answer.headers['x-blade']).toBe('yes')
})

test('a status above 500, which clients do not read, becomes 500', async () => {
  expect((await app.inject('/api/teapot')).statusCode).toBe(500)
})

test('a server that does not answer is a refusal in the envelope', async () => {
  const away = await buildApp(testConfig({ bladeApi: 'http://127.0.0.1:9' }))
  const answer = await away.inject('/api/blade-system/param/page')
  expect(answer.json()).toMatchObject({ code: 500, success: false, msg: '服务暂时无法连接，请稍后再试' })
  await away.close()
})
