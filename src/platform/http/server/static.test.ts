import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testConfig } from '../../../../tests/helper/app.ts'
import permissions from '../../access/server/permissions.ts'
import clock from './clock.ts'
import compress from './compress.ts'
import envelope from './envelope.ts'
import staticFiles from './static.ts'

const script = 'console.log("聚贤")'
const block = (text: string): string => `<script type="application/json" id="site">${text}</script>`
/** What the sign-in page is told. */
let site: () => Promise<unknown>
let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-web-'))
  await mkdir(path.join(folder, 'assets'))
  const files = {
    'index.html': '<p>application',
    'login.html': `<p>login${block('')}`,
    'worker.js': script,
    'assets/a-1.js': script,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  await writeFile(path.join(folder, 'assets/a-1.js.br'), brotliCompressSync(script))
  app = Fastify({ exposeHeadRoutes: false })
  await app.register(clock, { config: testConfig() })
  await app.register(envelope)
  await app.register(permissions)
  await app.register(compress)
  await app.register(staticFiles, { folder, site: () => site() })
})
beforeEach(() => {
  site = async () => undefined
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (url: string, headers = {}) => app.inject({ url, headers })

test.each([
  ['/', 'application'],
  ['/exam/examination?x=1', 'application'],
  ['/work/process/leave/form/a.b', 'application'],
  ['/login', 'login'],
  ['/login?redirect=/x', 'login'],
])('%s is the page of the %s', async (url, text) => {
  const answer = await get(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toMatch(new RegExp(`^<p>${text}(<script|$)`))
  expect(answer.headers['cache-control']).toBe('no-cache')
  expect(answer.headers['content-type']).toContain('text/html')
})

describe('the sign-in page', () => {
  test('has in it what it would ask first, as data that nothing in it can end', async () => {
    const facts = { title: '</script><script>alert(1)</script><!--', mark: "$' $& $1" }
    site = async () => facts
    const { body } = await get('/login')
    expect(body.match(/<script/g)).toHaveLength(1)
    const [, text = ''] = /id="site">(.*)<\/script>$/.exec(body) ?? []
    expect(text).not.toContain('<')
    expect(JSON.parse(text)).toEqual(facts)
  })

  test.each([
    ['fails', async () => Promise.reject(new Error('no database'))],
    ['takes long', () => new Promise(() => undefined)],
  ])('comes without when that %s', async (_, never) => {
    site = never
    expect((await get('/login')).body).toBe(`<p>login${block('')}`)
  })

  test('is sent again only when something in it has changed', async () => {
    const ask = (etag = '') => get('/login', { 'if-none-match': etag })
    site = async () => ({ title: '一' })
    const etag = String((await ask()).headers.etag)
    expect([(await ask(etag)).statusCode, (await ask(etag)).body]).toEqual([304, ''])
    site = async () => ({ title: '二' })
    expect((await ask(etag)).body).toContain('二')
  })

  test('travels compressed', async () => {
    const title = '聚贤'.repeat(2000)
    site = async () => ({ title })
    const answer = await get('/login', { 'accept-encoding': 'br' })
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(brotliDecompressSync(answer.rawPayload).toString()).toContain(title)
  })
})

describe('files', () => {
  test('with a hash in their name are kept for ever', async () => {
    expect((await get('/assets/a-1.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/worker.js')).headers['cache-control']).toBe('no-cache')
  })

  test('are sent as they were compressed', async () => {
    const answer = await get('/assets/a-1.js', { 'accept-encoding': 'gzip, br' })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
    })
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script)
    expect((await get('/assets/a-1.js')).body).toBe(script)
  })
})

test.each([
  ['GET', '/api/nothing'],
  ['GET', '/assets/gone-2.js'],
  ['GET', '/assets/a-1.js.br'],
  ['GET', '/assets/'],
  ['GET', '/assets'],
  ['GET', '/assets/..%2findex.html'],
  ['POST', '/exam/examination'],
  ['GET', '/assets/..%2f..%2fpackage.json'],
] as const)('%s %s is not found', async (method, url) => {
  const answer = await app.inject({ method, url })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ code: 404, success: false })
})
