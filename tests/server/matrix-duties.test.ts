import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Resource, readCall, waysOf } from '#engine'
import { resources } from '#resources'
import { duty } from '#resources/scopes'
import { menus } from '../../src/server/database/seed/base/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow } from '../helper/every-row.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { unzip } from '../helper/unzip.ts'

// Everybody here may make every call. What he meets is decided by what he is appointed to the exam for: the table says it as
// the offices of the house do, and not as the code computes it. `c` changes, `r` reads, `-` is told that there is no such row.

const [head = '', ...lines] = readFileSync(new URL('duties.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const people = head.split('\t').slice(1)
const table = new Map(lines.map(line => [line.split('\t')[0]!, line.split('\t').slice(1)] as const))
const cellOf = (name: string, who: string) => table.get(name)?.[people.indexOf(who)]

const all: readonly Resource[] = resources
const bound = all.filter(({ name }) => table.has(name))
const mark = '外考'

let t: TestApp
let rows: EveryRow
const callers = new Map<string, Caller>()

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  const permissions = menus.map(one => one.code)
  rows = await everyRow(t.app, {
    ...{ tenantId: '000000', set: 1, mark },
    rows: {
      ...{
        examination: { examStatus: 1 },
        signup: { signStatus: 1, payState: 0 },
        notice: { noticeStatus: 0, scope1: 2 },
      },
      ...{ examuser: { userId: '1', examRole: 1, enable: 1 }, payorder: { bizType: 1, orderNo: 'JF1' } },
      ...{ reconciliationitem: { orderNo: 'JF1' }, sendpay: { payNo: 'DX1' }, send: { sendStatus: 0 } },
    },
  })
  for (const name of people) {
    const who = await signIn(t, { permissions })
    callers.set(name, who)
    if (name in duty)
      await t.pool.query(
        `INSERT INTO examuser ("tenantId", "examId", "userId", "userName", "examRole", enable) VALUES ('000000', $1, $2, 'x', $3, 1)`,
        [rows.examination, who.userId, duty[name as keyof typeof duty]],
      )
  }
})
afterAll(() => t.close())

const ask = async (url: string, who: string, body?: object) =>
  t.app.inject({
    ...{ method: body ? 'POST' : 'GET', url, headers: callers.get(who)!.headers },
    ...(body && { payload: body }),
  })

interface Total {
  data: { total: number }
}

/** What the generated calls of a resource show to somebody: their names, those that show the row. */
async function shows({ path, name, calls, can, totals }: Resource, who: string): Promise<string[]> {
  const at = `/api${path}`
  const id = rows[name]!
  const shown: string[] = []
  const list = calls.list === 'GET page' ? ['page', 'list'] : ['page']
  for (const call of list) {
    const answer = await ask(`${at}/${call}?id=${id}`, who)
    if (answer.statusCode === 404) continue
    if (answer.json<Total>().data.total > 0 || answer.payload.includes(id)) shown.push(call)
  }
  const detail = await ask(`${at}/${readCall(calls.detail).path}?id=${id}`, who)
  if (detail.statusCode === 200) shown.push('detail')
  if ((await ask(`${at}/select?ids=${id}`, who)).payload.includes(id)) shown.push('select')
  if (totals.length > 0) {
    const sums = (await ask(`${at}/totals?id=${id}`, who)).json<{ data: Record<string, number> }>().data
    if (Object.values(sums).some(Number)) shown.push('totals')
  }
  if (can.includes('export')) {
    const file = (await ask(`${at}/export?id=${id}`, who)).rawPayload
    const sheet = file.subarray(0, 2).toString() === 'PK' ? unzip(file).get('xl/worksheets/sheet1.xml')?.toString() : ''
    if ((sheet?.match(/<row /g)?.length ?? 0) > 1) shown.push('export')
  }
  return shown
}

test('the table has a line for every resource whose rows are limited by what they belong to', () => {
  const limited = all
    .filter(({ scope }) => waysOf(scope).some(way => !('wide' in way)))
    .map(({ name }) => name as string)
  expect([...table.keys()].toSorted()).toEqual(limited.filter(name => name !== 'job-instance').toSorted())
})

describe('what is read of an exam', () => {
  test.each(people)(
    'by its %s',
    async who => {
      const wrong: string[] = []
      for (const resource of bound) {
        const shown = await shows(resource, who)
        const isMeant = cellOf(resource.name, who) !== '-'
        const most = isMeant ? await shows(resource, 'manager') : []
        if (shown.join() !== most.join()) wrong.push(`${resource.name}: ${shown.join()} instead of ${most.join()}`)
        if (isMeant && shown.length < 3) wrong.push(`${resource.name} shows itself in ${shown.join()} only`)
      }
      expect(wrong).toEqual([])
    },
    60_000,
  )
})
