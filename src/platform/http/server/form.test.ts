import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import type { FormRule } from './form.ts'

/** Calls that take a form, as the routes say. */
const routes: { url: string; access: unknown; form: FormRule }[] = []
/** What handlers met last. */
const met: { last?: { body: unknown; files: { field: string; filename: string; bytes: string }[] } } = {}

const watch = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ url, method, config }) => {
    // Pages for people answer pages; their own test sends them forms.
    const isPage = url.startsWith('/public/objection/')
    if (config?.form && !isPage && [method].flat().includes('POST'))
      routes.push({ url, access: config.access, form: config.form })
  })
  fastify.addHook('preHandler', async (request: FastifyRequest) => {
    const files = (request.form?.files ?? []).map(async ({ field, filename, bytes }) => ({
      field,
      filename,
      bytes: (await bytes()).toString(),
    }))
    met.last = { body: request.body, files: await Promise.all(files) }
  })
}

let t: TestApp
let staff: Caller
let candidate: Caller
beforeAll(async () => {
  subscribe('fastify.initialization', watch)
  t = await testApp()
  unsubscribe('fastify.initialization', watch)
  staff = await signIn(t, { role: 'administrator' })
  candidate = await signIn(t, { role: 'candidate' })
})
afterAll(() => t?.close())

const edge = 'edge-of-parts'
const part = (head: string, body: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--${edge}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])
const fileOf = (content: string | Buffer, name = 'a.xlsx') =>
  part(`name="file"; filename="${name}"\r\ncontent-type: application/octet-stream`, content)
const fields = { itemId: '1', examId: '1', sendId: '1', mode: '2', code: 'A' }
const fieldParts = Buffer.concat(Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)))
const end = Buffer.from(`--${edge}--\r\n`)

const edgeLine = Buffer.from(`\r\n--${edge}\r\n`)

/** A form cut behind each line between two parts: what is before it is known to be whole. */
function pieces(whole: Buffer): Buffer[] {
  const cut = whole.indexOf(edgeLine) + edgeLine.length
  return cut < edgeLine.length ? [whole] : [whole.subarray(0, cut), ...pieces(whole.subarray(cut))]
}

/** Sends parts one after the other, each when the server has had time with those before it. */
function send(who: Caller, url: string, ...parts: Buffer[]) {
  const payload = Readable.from(
    (async function* () {
      for (const one of pieces(Buffer.concat([...parts, end]))) {
        yield one
        await sleep(10)
      }
    })(),
    { objectMode: false },
  )
  const headers = { ...who.headers, 'content-type': `multipart/form-data; boundary=${edge}` }
  return t.call({ method: 'POST', url, headers, payload })
}

test('every call that takes a form answers the same whatever the order of its parts', async () => {
  expect(routes.map(({ url }) => url)).toEqual(
    expect.arrayContaining([
      '/api/blade-exam/examination/importResult',
      '/api/blade-result/result/importResult',
      '/api/blade-exam/examination/importSchool',
      '/api/blade-signup/signup/submit',
      '/api/blade-resource/attach/upload',
      '/api/blade-examitem/examitems/import',
    ]),
  )
  const wrong: string[] = []
  for (const { url, access, form } of routes) {
    const who = access === 'candidate' ? candidate : staff
    const target = url.endsWith('/attach/upload') ? `${url}?owner=notice` : url
    const [fileFirst, file] = [[fileOf('x'), fieldParts], 'x']
    const answers: unknown[] = []
    for (const parts of [fileFirst, fileFirst.toReversed()]) {
      delete met.last
      const { status, code, msg } = await send(who, target, ...parts)
      answers.push([status, code, msg, met.last])
      const found = met.last as (typeof met)['last']
      // A call with a schema of its own refuses what it does not know before its handler.
      if (!url.endsWith('/signup/submit') && (found?.files[0]?.bytes !== file || form.files < 1))
        wrong.push(`${url}: no file`)
      if (!url.endsWith('/signup/submit') && JSON.stringify(found?.body) !== JSON.stringify(fields))
        wrong.push(`${url}: ${JSON.stringify(found?.body)}`)
    }
    if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) wrong.push(`${url}: ${JSON.stringify(answers)}`)
  }
  expect(wrong).toEqual([])
})

const upload = '/api/blade-resource/attach/upload?owner=notice'

test('a form is refused by a call that takes none', async () => {
  expect(await send(staff, '/api/blade-notice/notice/page', fieldParts)).toMatchObject({ status: 404 })
  expect(await send(staff, '/api/blade-system/user/update', fileOf('x'), fieldParts)).toMatchObject({ status: 415 })
})

test.each([
  ['too many files', [fileOf('a'), fileOf('b')], 29005],
  ['a field that is too long', [part('name="owner"', 'x'.repeat(3000)), fileOf('a')], 29005],
  ['the end missing', [Buffer.from(`--${edge}\r\ncontent-disposition: form-data; name="a"`)], 29005],
  ['no file', [fieldParts], 29005],
])('a form with %s is refused', async (_, parts, code) => {
  expect((await send(staff, upload, ...parts)).code).toBe(code)
})

test('large files wait on the disk, nameless, and are gone with the answer', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'a')
  await send(staff, '/api/blade-exam/examination/importResult', fileOf(bytes), fieldParts)
  expect(met.last?.files[0]?.bytes.length).toBe(bytes.length)
  expect(met.last?.files[0]?.bytes === bytes.toString()).toBe(true)
  expect(await readdir(path.join(t.app.config.dataDir, 'incoming'))).toEqual([])
})

test('what one person uploads in a day has an end, for all processes together', async () => {
  const second = await testApp({ url: t.url })
  const some = (who: Caller, server: TestApp) => {
    const payload = Buffer.concat([fileOf(Buffer.alloc(300 * 1024), 'a.txt'), end])
    const headers = { ...who.headers, 'content-type': `multipart/form-data; boundary=${edge}` }
    return server.call({ method: 'POST', url: '/api/blade-resource/oss/endpoint/put-file', headers, payload })
  }
  const set = (key: string) => t.db.updateTable('param').set({ paramValue: '1' }).where('paramKey', '=', key).execute()
  await set('upload.dailyMB')
  const who = await signIn(t, { role: 'candidate' })
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => some(who, n % 2 ? t : second)))
  const over = answers.filter(({ code }) => code === 28011)
  expect([over.length, over[0]?.status, over[0]?.msg]).toEqual([
    5,
    429,
    '今日上传总量已达上限（1MB），请明天再试或联系管理员',
  ])
  // Somebody else, and staff, have a day of their own.
  expect((await some(await signIn(t, { role: 'candidate' }), t)).code).toBe(28001)
  expect((await some(staff, t)).code).toBe(28001)
  await second.close()
})
