import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testConfig } from '../../../../tests/helper/app.ts'
import { bladeServer, known } from '../../../../tests/helper/blade.ts'
import { buildApp } from '../../../server/app.ts'

/** Answers of proxies and frameworks, which know nothing of the envelope. */
const plainAnswers: Record<string, { status: number; type: string; body: string; to?: string }> = {
  text: { status: 404, type: 'text/plain', body: '404 page not found' },
  spring: { status: 404, type: 'application/json', body: '{"status":404,"error":"Not Found","path":"/x"}' },
  away: { status: 503, type: 'application/json', body: '{"status":503,"error":"Service Unavailable"}' },
  elsewhere: { status: 302, type: 'text/plain', body: '', to: 'https://sso.example.org' },
  kept: { status: 304, type: 'application/json', body: '' },
  refusal: { status: 400, type: 'application/json', body: '{"code":400,"success":false,"msg":"不行"}' },
}

const long = JSON.stringify({ code: 200, data: Array.from({ length: 500 }, (_, i) => `岗位${i}`) })

let blade: http.Server
let app: FastifyInstance

beforeAll(async () => {
  blade = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { url, method, headers } = request
    if (url?.includes('long')) {
      response.writeHead(200, { 'content-type': url.includes('file') ? 'application/pdf' : 'application/json' })
      response.end(long)
      return
    }
    const html = /html-?(\d*)/.exec(url ?? '')
    if (html) {
      response.writeHead(Number(html[1] || 200), { 'content-type': 'text/html; charset=utf-8' })
      response.end('<!doctype html><p>nginx</p>')
      return
    }
    const plain = plainAnswers[/plain-(\w+)/.exec(url ?? '')?.[1] ?? '']
    if (plain) {
      response.writeHead(plain.status, { 'content-type': plain.type, ...(plain.to && { location: plain.to }) })
      response.end(plain.body)
      return
    }
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
    method: 'POST',
    url: '/api/blade-system/param/submit?x=1',
    payload: '{"a":"聚贤"}',
    headers: { 'content-type': 'application/json', 'blade-auth': 'bearer t' },
  })
  expect(answer.json()).toEqual({
    url: '/gate/blade-system/param/submit?x=1',
    method: 'POST',
    body: '{"a":"聚贤"}',
    token: 'bearer t',
  })
  expect(answer.headers['x-blade']).toBe('yes')
})

test('a status above 500, which clients do not read, becomes 500', async () => {
  expect((await app.inject('/api/teapot')).statusCode).toBe(500)
})

describe('a Blade server that knows only the calls of the table', () => {
  const other = bladeServer()
  let front: FastifyInstance
  beforeAll(async () => {
    const bladeApi = await other.app.listen({ port: 0, host: '127.0.0.1' })
    const pages = { captchaMode: false, bladeClient: known.client, bladePublicKey: other.publicKey }
    front = await buildApp(testConfig({ bladeApi, ...pages }))
  })
  afterAll(async () => {
    await front.close()
    await other.app.close()
  })

  test('lets our pages in: with the key and the client of the environment, and the modes that it says', async () => {
    expect((await front.inject('/api/public/site')).json().data).toMatchObject({ captchaMode: false, demo: false })
    const key = (await front.inject('/api/blade-auth/oauth/public-key')).json().data
    expect(key).toEqual({ publicKey: other.publicKey })
    const ask = (password: string) =>
      front.inject({
        method: 'POST',
        url: '/api/blade-auth/oauth/token',
        headers: {
          authorization: `Basic ${Buffer.from('juxian-web:').toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: String(
          new URLSearchParams({
            grant_type: 'password',
            username: known.account,
            password: sm2.doEncrypt(password, key.publicKey, 0),
          }),
        ),
      })
    expect((await ask(known.password)).json()).toMatchObject({ access_token: 'blade' })
    expect((await ask('wrong')).json()).toMatchObject({ error_code: 2002 })
  })

  test('answers what it does not know with JSON that says so', async () => {
    const answer = await front.inject({
      url: '/api/blade-exam/examroom/page',
      headers: { 'blade-auth': 'bearer blade' },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 404])
  })
})

test('a page for people where data should be is an error in the language of the person, and never an empty list', async () => {
  const get = (path: string, language: string) =>
    app.inject({ url: `/api/${path}`, headers: { 'accept-language': language } }).then(answer => answer.json())
  expect(await get('html', 'zh-CN')).toMatchObject({
    code: 500,
    success: false,
    msg: expect.stringContaining('服务地址'),
  })
  expect((await get('html', 'en')).msg).toBe(
    'The service did not answer with data; ask an administrator to check its address',
  )
  expect(await get('html-404', 'zh-CN')).toMatchObject({ code: 404, success: false })
  expect(await get('html-502', 'zh-CN')).toMatchObject({ code: 500, msg: '服务暂时无法连接，请稍后再试' })
})

test.each([
  ['text', 404, 404],
  ['spring', 404, 404],
  ['away', 500, 500],
  ['elsewhere', 500, 500],
  ['refusal', 400, 400],
])('what is no envelope says by its status what it means: %s', async (name, status, code) => {
  const answer = await app.inject(`/api/plain-${name}`)
  expect([answer.statusCode, answer.json()]).toEqual([status, expect.objectContaining({ code, success: false })])
  expect(answer.headers.location).toBeUndefined()
})

test('large data come compressed to whoever takes that, files as they are', async () => {
  const ask = (url: string, encoding?: string) =>
    app.inject({ url, headers: encoding ? { 'accept-encoding': encoding } : {} })
  const small = await ask('/api/long', 'gzip, br')
  expect(small.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(long)
  for (const answer of [await ask('/api/long'), await ask('/api/long-file', 'br')]) {
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.body).toBe(long)
  }
  expect((await ask('/api/plain-kept', 'br')).statusCode).toBe(304)
})

test('what a browser has kept is left to it', async () => {
  expect((await app.inject('/api/plain-kept')).statusCode).toBe(304)
})

test('a server that does not answer is a refusal in the envelope', async () => {
  const away = await buildApp(testConfig({ bladeApi: 'http://127.0.0.1:9' }))
  const answer = await away.inject('/api/blade-system/param/page')
  expect(answer.json()).toMatchObject({ code: 500, success: false, msg: '服务暂时无法连接，请稍后再试' })
  const english = await away.inject({ url: '/api/blade-system/param/page', headers: { 'accept-language': 'en' } })
  expect(english.json().msg).toBe('The service cannot be reached; please try again later')
  await away.close()
})
