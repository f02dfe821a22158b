import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../tests/helper/person.ts'
import { withoutValues } from '../database/measured.ts'

interface Told {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** A collector of traces, and what it was told. */
let collector: Server
const texts: string[] = []
let t: TestApp
let staff: Caller

const told = (): Told[] =>
  texts.flatMap(text =>
    JSON.parse(text).resourceSpans.flatMap((one: { scopeSpans: { spans: Told[] }[] }) =>
      one.scopeSpans.flatMap(scope => scope.spans),
    ),
  )
const attributesOf = ({ attributes }: Told) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** The call of a name once it was told, and what was done below it. */
async function traceOf(name: string): Promise<{ call: Told; parts: Told[] }> {
  await expect.poll(() => told().filter(one => one.name === name)).toHaveLength(1)
  const call = told().find(one => one.name === name)!
  return { call, parts: told().filter(one => one.parentSpanId === call.spanId) }
}

beforeAll(async () => {
  collector = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      if (request.url === '/v1/traces') texts.push(Buffer.concat(parts).toString())
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  t = await testApp({ config: { traceEndpoint: `http://127.0.0.1:${port}` } })
  staff = await signIn(t, { role: 'administrator' })
})
beforeEach(() => {
  texts.length = 0
})
afterAll(async () => {
  await t?.close()
  collector?.close()
})

test('a call is told under its route, as a part of the trace of its caller, with its statements below it', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const url = '/api/blade-system/param/detail?id=1234567890123456789'
  await t.app.inject({ url, headers: { ...staff.headers, traceparent } })
  const { call, parts } = await traceOf('GET /api/blade-system/param/detail')
  expect(call).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    kind: 2,
  })
  expect(attributesOf(call)).toMatchObject({
    'http.route': '/api/blade-system/param/detail',
    'http.response.status_code': 404,
  })
  const statements = parts.map(one => attributesOf(one)['db.query.text'])
  expect(statements).toEqual(expect.arrayContaining([expect.stringContaining('t."paramName"')]))
})

test('what a body brings is done below its call, and nothing that was written is told', async () => {
  const payload = { paramName: '参数甲乙丙', paramKey: 'traced.key', paramValue: '13900001234' }
  const headers = { ...staff.headers, 'idempotency-key': 'traced-4711-4712' }
  const answer = await t.call({ method: 'POST', url: '/api/blade-system/param/submit', headers, payload })
  expect(answer.code).toBe(200)
  const { call, parts } = await traceOf('POST /api/blade-system/param/submit')
  expect(parts.map(one => one.name)).toEqual(expect.arrayContaining(['transaction', 'insert']))
  expect(call.parentSpanId ?? '').toBe('')
  const all = texts.join()
  for (const word of ['参数甲乙丙', 'traced.key', '13900001234', 'traced-4711', staff.userId])
    expect(all).not.toContain(word)
})

test('a call that fails is marked, without the words of its error', async () => {
  await t.pool.query('ALTER TABLE param RENAME TO param_away')
  try {
    await t.app.inject({ url: '/api/blade-system/param/page', headers: staff.headers })
  } finally {
    await t.pool.query('ALTER TABLE param_away RENAME TO param')
  }
  const { call, parts } = await traceOf('GET /api/blade-system/param/page')
  expect([call.status.code, attributesOf(call)['error.type']]).toEqual([2, '500'])
  expect(parts.filter(one => one.status.code === 2).map(one => attributesOf(one)['error.type'])).toEqual(['42P01'])
  expect(texts.join()).not.toContain('does not exist')
})

test('where nobody asks for traces nothing is followed', async () => {
  const other = await testApp({ url: t.url })
  try {
    expect(other.app.tracer.isOn).toBe(false)
  } finally {
    await other.close()
  }
})

test.each([
  [
    `BEGIN;\n SELECT 1 FROM x WHERE a = 'o''hara' AND b = E'\\'c' AND c = $1`,
    'BEGIN; SELECT 1 FROM x WHERE a = ? AND b = ? AND c = $1',
  ],
  [`SELECT 'never ended`, 'SELECT ?'],
  ['LIMIT 10 OFFSET 123456 "i_2026_x" $1000', 'LIMIT 10 OFFSET ? "i_2026_x" $1000'],
])('a statement is told without the values in it: %s', (text, shown) => {
  expect(withoutValues(text)).toBe(shown)
})
