import { afterAll, beforeAll, expect, test } from 'vitest'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow } from '../helper/every-row.ts'
import { inTurns } from '../helper/in-turns.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, watchSchemas } from '../helper/route-cases.ts'

// What somebody hostile puts into the address of a list: SQL in values, in the names and suffixes of filters, in the order; wildcards;
// ranges of time that are none. Every list of the route table is asked, by somebody who may ask for everything of his tenant.

const mark = '乙方'

/** SQL as a value: none of these texts is in any row. */
const values = [
  `' or 1=1 --`,
  `" or ""="`,
  `1) or (1=1`,
  `'; DROP TABLE "user"; --`,
  `' UNION SELECT password FROM "user" --`,
  `'||(SELECT pg_sleep(20))||'`,
  `1 and pg_sleep(20) is null`,
  `\\' or 1=1 --`,
  `$1`,
  `\${1+1}`,
  `%_%`,
  `\\%`,
  `__%`,
  `(select 1)`,
  `0x61646d696e`,
  `\u02bc or 1=1`,
  `2026-01-01' or '1'='1`,
  `9999999999999999999999`,
  `{"$ne":null}`,
  `1e309`,
] as const

/** SQL as an order. */
const orders = [
  '(select pg_sleep(20))',
  'id;drop table "user"',
  'id desc, (select 1)',
  'password',
  '1',
  'case when 1=1 then id end',
  '"id"',
  'createTime nulls first',
] as const

/** SQL as the name of a filter. */
const names = [
  '1=1',
  '"id" or 1=1 --',
  'password',
  'isDeleted',
  't.id',
  'id)',
  '__proto__',
  'id_dategt;--',
  'id_regex',
] as const

const suffixes = ['_dategt', '_datelt', '_equal', '_like', '_notnull', '_sleep'] as const

const schemas = watchSchemas()
let t: TestApp
let who: Caller
let own: EveryRow
let lists: { one: RouteCase; bag: Record<string, string>; filters: readonly string[] }[]

interface Answer {
  code: number
  data?: { records?: unknown[]; total?: number } | unknown[]
}

async function ask(one: RouteCase, bag: Record<string, string>, more: Record<string, string> = {}) {
  const request = one.request(bag, who.headers)
  const began = performance.now()
  const answer = await t.app.inject({ ...request, query: { ...(request.query as Record<string, string>), ...more } })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  const body: Answer = isJson ? answer.json() : { code: answer.statusCode }
  return { status: answer.statusCode, text: answer.payload, body, time: performance.now() - began }
}

const numOf = ({ status, body }: Awaited<ReturnType<typeof ask>>): number =>
  status === 200 ? (recordsOf(body)?.length ?? 0) : 0

const recordsOf = ({ data }: Answer): unknown[] | undefined => (Array.isArray(data) ? data : data?.records)

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  who = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
  own = await everyRow(t.app, { tenantId: '000000', set: 1 })
  await everyRow(t.app, { tenantId: '900002', set: 2, mark })
  const cases = casesOf(t.app, schemas.schemas).filter(({ method, url }) => method === 'GET' && !/export/i.test(url))
  const asked = await inTurns(6, cases, async one => {
    const bag = Object.fromEntries(
      one.ids.slice(0, 1).flatMap(name => {
        const id = own[one.entityOf(name) ?? '']
        return id ? [[name, id]] : []
      }),
    )
    const known = schemas.schemas.get(one.name)
    const filters = Object.keys((known?.querystring ?? known?.describes?.querystring)?.properties ?? {})
    const answers = [{}, bag].map(async ids => ({ one, bag: ids, filters, body: (await ask(one, ids)).body }))
    return Promise.all(answers)
  })
  const found = asked.flat().filter(({ body }) => body.code === 200 && recordsOf(body))
  lists = [...new Map(found.map(({ one, bag, filters }) => [one.name, { one, bag, filters }])).values()]
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

/** What is wrong with an answer: nothing of another tenant, no fault, no waiting for a statement that sleeps. */
function wrong(name: string, what: string, { status, text, time }: Awaited<ReturnType<typeof ask>>): string[] {
  const isLate = time > 15_000
  const isFault = status >= 500 || (status !== 200 && status !== 400 && status !== 404)
  const isShown = text.includes(mark) || text.includes('72000000')
  return isLate || isFault || isShown
    ? [`${name} ${what}: ${status} ${text.slice(0, 200)} after ${Math.round(time)} ms`]
    : []
}

const paging = /^(current|size|ascs|descs|sort)$/

test('B16 · there are lists to ask', () => {
  expect(lists.length).toBeGreaterThan(90)
})

test('B16 · a value is a value: it finds nothing, or is refused by name', async () => {
  const all = await inTurns(6, lists, async ({ one, bag, filters }, place) => {
    const fields = filters.filter(name => !paging.test(name) && !(name in bag))
    const found: string[] = []
    for (const [at, name] of fields.entries()) {
      const value = values[(place + at) % values.length]!
      const answer = await ask(one, bag, { [name]: value })
      found.push(...wrong(one.name, `${name}=${value}`, answer))
      const rows = numOf(answer)
      // Choices show a name alone: what they were found by stands in the list.
      const page = lists.find(other => other.one.url === one.url.replace(/\/select$/, '/page'))
      const shown = page && page.one !== one && rows > 0 ? await ask(page.one, page.bag, { [name]: value }) : answer
      // The log of calls holds these texts as they are: it was called with them.
      const isThere = recordsOf(shown.body)?.every(row =>
        Object.values(row as object)
          .join('\n')
          .includes(value),
      )
      // A line of sums is there also when nothing is found.
      if (rows > 0 && !isThere && rows !== numOf(await ask(one, bag, { [name]: '没有' })))
        found.push(`${one.name} ${name}=${value} finds ${rows}`)
    }
    return found
  })
  expect(all.flat()).toEqual([])
})

test('B16 · names and suffixes of filters, and orders, are taken from closed lists', async () => {
  const all = await inTurns(6, lists, async ({ one, bag, filters }, place) => {
    const field = filters.find(name => !paging.test(name)) ?? 'id'
    const value = values[place % values.length]!
    // Some of each for every list; all of them meet some list of each kind.
    const some = <T>(all: readonly T[], num: number) =>
      Array.from({ length: num }, (_, at) => all[(place + at * 3) % all.length]!)
    const tries: [string, string][] = [
      ...some(names, 3).map((name): [string, string] => [name, '1']),
      ...some(suffixes, 2).map((end): [string, string] => [`${field}${end}`, value]),
      ...some(['ascs', 'descs', 'sort'], 1).map((key): [string, string] => [key, some(orders, 1)[0]!]),
      ['createTime_dategt', some([`' or 1=1`, '2026-13-45 99:99:99'], 1)[0]!],
    ]
    const found: string[] = []
    for (const [name, given] of tries)
      found.push(...wrong(one.name, `${name}=${given}`, await ask(one, bag, { [name]: given })))
    return found
  })
  expect(all.flat()).toEqual([])
})

test('B16 · an order that is none is refused, and its statement never runs', async () => {
  const paged = lists.filter(({ filters }) => filters.includes('descs'))
  expect(paged.length).toBeGreaterThan(50)
  const answers = await inTurns(6, paged, async ({ one, bag }, place) => {
    const { body, text } = await ask(one, bag, { [place % 2 ? 'ascs' : 'descs']: orders[place % orders.length]! })
    return body.code === 29005 ? [] : [`${one.name}: ${text}`]
  })
  expect(answers.flat()).toEqual([])
})

test('B16 · an id is a number that can be one, wherever ids are taken', async () => {
  const cases = casesOf(t.app, schemas.schemas).filter(({ ids }) => ids.length > 0)
  const found = await inTurns(6, cases, async (one, place) => {
    const hostile = ['99999999999999999999', `1' or '1'='1`, '1;select 1', '-1', '1e3', '0x1', '１'][place % 7]!
    const bags = [hostile, '99999999999999999999'].map(id => Object.fromEntries(one.ids.map(name => [name, id])))
    const answers = await Promise.all(bags.map(bag => ask(one, bag)))
    // A refusal of ours may be a 500 by the wire's table, as of a job server that cannot be reached.
    return answers
      .filter(({ status, body }) => status >= 500 && body.code < 29_000)
      .map(({ text }) => `${one.name} ${hostile} ${text}`)
  })
  expect(found.flat()).toEqual([])
})
