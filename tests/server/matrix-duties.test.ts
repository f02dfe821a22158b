import { readFileSync } from 'node:fs'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Resource, readCall, waysOf } from '#engine'
import { resources } from '#resources'
import { duty } from '#resources/scopes'
import { ExamStatus, ObjectionOutcome } from '#schemas/dictionaries'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { changeCounts, digestOf, type EveryRow, everyRow, keepRows } from '../helper/every-row.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, textOf, watchSchemas } from '../helper/route-cases.ts'
import { unzip } from '../helper/unzip.ts'

// Everybody here may make every call. What rows they meet is decided by their appointment to the exam: the table says it as
// the specification does, and not as the code computes it. `c` changes, `r` reads, `-` is told that there is no such row.

const [head = '', ...lines] = readFileSync(new URL('duties.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const people = head.split('\t').slice(1)
const table = new Map(lines.map(line => [line.split('\t')[0]!, line.split('\t').slice(1)] as const))
const cellOf = (name: string, who: string) => table.get(name)?.[people.indexOf(who)]

// Of each call that may change something and takes the id of such a row, the second table says who is met with it: `x` does, `-` is
// answered as if there were no such row. `candidate` and `never` stand for calls that none of the staff makes, `form` for those
// that ask for more than ids before they look for a row: they are tested where their subject is.
const [, ...writeLines] = readFileSync(new URL('duties-writes.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const writes = new Map(writeLines.map(line => [line.split('\t')[0]!, line.split('\t').slice(1)] as const))

const schemas = watchSchemas()

/** Calls by which more is met than the first table lets somebody change, because they only read, or are about the money. */
const beyond: readonly string[] = [
  'POST /api/blade-signup/signup/exportPDFView by observer',
  'POST /api/blade-signup/signup/reveal by observer',
  'POST /api/blade-send/send/getSendInfo by observer',
  'POST /api/blade-send/send/getMessages by observer',
  'POST /api/blade-noticeRead/noticeread/export by observer',
  'POST /api/blade-item/examinationitem/releasePay by finance',
  'POST /api/blade-item/examinationitem/recallPay by finance',
]

const all: readonly Resource[] = resources
const bound = all.filter(({ name }) => table.has(name))
const mark = '外考'

let t: TestApp
let rows: EveryRow
const callers = new Map<string, Caller>()
let written: readonly RouteCase[]
let workbook: Buffer
let restore: () => Promise<void>

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  const permissions = menus.map(one => one.code)
  rows = await everyRow(t.app, {
    tenantId: '000000',
    set: 1,
    mark,
    rows: {
      examination: { examStatus: 1 },
      signup: { signStatus: 1, payState: 0, files: [], content: {} },
      notice: { noticeStatus: 0, scope1: 2 },
      examuser: { userId: '1', examRole: 1, enable: 1 },
      payorder: { bizType: 1, orderNo: 'JF1' },
      reconciliationitem: { orderNo: 'JF1' },
      sendpay: { payNo: 'DX1' },
      send: { sendStatus: 0 },
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
  written = casesOf(t.app, schemas.schemas).filter(one => one.method === 'POST' && idsOf(one).length > 0)
  workbook = (await t.app.inject({ url: '/api/blade-system/post/export', headers: callers.get('manager')!.headers }))
    .rawPayload
  restore = await keepRows(t.app, [1])
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

const ask = async (url: string, who: string, body?: object) =>
  t.app.inject({
    method: body ? 'POST' : 'GET',
    url,
    headers: callers.get(who)!.headers,
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
  expect([...table.keys()].toSorted()).toEqual(limited.filter(name => !name.startsWith('job-')).toSorted())
})

/** What the manager is shown, who is met with everything. */
const toManager = new Map<string, Promise<string[]>>()

function showsToManager(resource: Resource): Promise<string[]> {
  const known = toManager.get(resource.name) ?? shows(resource, 'manager')
  toManager.set(resource.name, known)
  return known
}

describe('what is read of an exam', () => {
  test.each(people)('by its %s', async who => {
    const wrong: string[] = []
    for (const resource of bound) {
      const shown = await (who === 'manager' ? showsToManager(resource) : shows(resource, who))
      const isMeant = cellOf(resource.name, who) !== '-'
      const most = isMeant ? await showsToManager(resource) : []
      if (shown.join() !== most.join()) wrong.push(`${resource.name}: ${shown.join()} instead of ${most.join()}`)
      if (isMeant && shown.length < 3) wrong.push(`${resource.name} shows itself in ${shown.join()} only`)
    }
    expect(wrong).toEqual([])
  })
})

/** Names under which a call takes ids of rows that belong to an exam. */
const idsOf = (one: RouteCase): string[] => {
  const own = one.resource?.entity.properties ?? {}
  const names = one.ids.filter(name => table.has(one.entityOf(name) ?? ''))
  return one.ids.length < 12 ? names : names.filter(name => name === 'id' || name === 'ids' || name in own)
}

const nobodys = '7900000000000099999'

/** Whether a call takes a file instead of fields. */
const takesFile = ({ url }: RouteCase): boolean => /\/import\w*$/.test(url)

/** What calls want that say less about their input than others: names of ids, and what goes with them. */
const wanted: readonly (readonly [address: RegExp, names: readonly string[], body?: object])[] = [
  [/\/import\w*$/, ['id', 'itemId', 'examId', 'sendId']],
  [/\/examitems\/change$/, ['ids'], { openRatio: 2 }],
  [/\/(examuser|examroom)\/change$/, ['ids'], { enable: 1 }],
  [/\/signup\/reveal$/, ['id'], { field: 'idCard', reason: '核对证件号码' }],
  [/\/payrecord\/exemptMany$/, ['ids'], { exemptReason: '低保', exemptFile: nobodys }],
  [/\/send\/getSendPayQrcode$/, ['id'], {}],
  [/\/objection\/propose$/, ['id'], { outcome: ObjectionOutcome.unfounded, answer: '经核查不属实' }],
]

/** The request of a call about the rows of the exam, or about rows that are not there. */
function requestOf(one: RouteCase, who: string, isThere: boolean): InjectOptions {
  const [, names = one.ids, body] = wanted.find(([address]) => address.test(one.url)) ?? []
  const given = names.flatMap(name => {
    const entity = one.entityOf(name) ?? ''
    return rows[entity] ? [[name, table.has(entity) && !isThere ? nobodys : rows[entity]] as const] : []
  })
  const ids = Object.fromEntries(given)
  const { headers } = callers.get(who)!
  if (body) return { method: 'POST', url: one.url, headers, payload: { ...body, ...ids } }
  return one.request(ids, headers, takesFile(one) ? workbook : undefined)
}

/** What a call with these ids answers, without the ids themselves. */
async function answerTo(one: RouteCase, who: string, isThere: boolean): Promise<{ text: string; isDone: boolean }> {
  const answer = await t.app.inject(requestOf(one, who, isThere))
  const ids = [nobodys, ...Object.values(rows)]
  return {
    text: ids.reduce((text, id) => text.replaceAll(id, '#'), textOf(answer)),
    isDone: answer.statusCode < 300,
  }
}

/** How a call answers the manager who names rows that are not there. */
const unknown = new Map<string, string>()

async function unknownTo(one: RouteCase): Promise<string> {
  const known = unknown.get(one.name)
  if (known !== undefined) return known
  const { text, isDone } = await answerTo(one, 'manager', false)
  if (isDone) await restore()
  unknown.set(one.name, text)
  return text
}

test('the second table has a line for every call that may change a row of an exam', () => {
  expect(written.map(one => one.name).filter(name => !writes.has(name))).toEqual([])
  expect([...writes.keys()].filter(name => !written.some(one => one.name === name))).toEqual([])
})

test('nobody but the offices that change rows by the first table is met by the calls that change them', () => {
  const wrong = [...writes].flatMap(([name, cells]) => {
    const entity = written.find(one => one.name === name)?.resource?.name ?? ''
    if (cells.length < people.length || !table.has(entity)) return []
    return people.filter((who, i) => cells[i] === 'x' && cellOf(entity, who) !== 'c').map(who => `${name} by ${who}`)
  })
  expect(wrong).toEqual(beyond)
})

describe('what is changed of an exam', () => {
  test.each(people)('by its %s', async who => {
    await restore()
    const before = await digestOf(t.app, 1)
    const wrong: string[] = []
    for (const one of written) {
      const cells = writes.get(one.name) ?? []
      const cell = cells.length < people.length ? undefined : cells[people.indexOf(who)]
      if (cell === undefined) continue
      const none = await unknownTo(one)
      const { text, isDone } = await answerTo(one, who, true)
      const found = text === none ? '-' : 'x'
      if (found !== cell) wrong.push(`${one.name}: ${found} ${text.slice(0, 120)}`)
      // What was done where nothing may be is left as it is, and found at the end.
      if (isDone && cell === 'x') await restore()
    }
    expect(wrong).toEqual([])
    expect(await digestOf(t.app, 1)).toEqual(before)
  })
})

/** Calls that change something of an archived exam, too: money, a sending that is under way, what becomes of kept data. */
const stillChanging: readonly string[] = [
  'POST /api/blade-payOrder/payorder/check',
  'POST /api/blade-payOrder/payorder/close',
  'POST /api/blade-exam/datahold/release',
  'POST /api/blade-exam/datapurge/cancel',
  'POST /api/blade-exam/datapurge/recount',
  'POST /api/blade-exam/examarchive/drop',
  'POST /api/blade-payOrder/payorder/checkMany',
  'POST /api/blade-payOrder/payrefund/approve',
  'POST /api/blade-payOrder/payrefund/approveMany',
  'POST /api/blade-payOrder/payrefund/reject',
  'POST /api/blade-reconciliation/reconciliationitem/handle',
  'POST /api/blade-send/send/useBalance',
  'POST /api/blade-send/send/ready',
  'POST /api/blade-send/send/cancel',
  'POST /api/blade-sendPay/sendpay/voucher',
  'POST /api/blade-sendPay/sendpay/close',
  'POST /api/blade-develop/hookdelivery/replayFailed',
]

test('nothing of an archived exam is changed but what is still done there', async () => {
  const archive = async () => {
    await restore()
    await t.pool.query('UPDATE examination SET "examStatus" = $1 WHERE id = $2', [
      ExamStatus.archived,
      rows.examination,
    ])
    return changeCounts(t.app)
  }
  let before = await archive()
  const changing: string[] = []
  for (const one of written) {
    await answerTo(one, 'manager', true)
    const after = await changeCounts(t.app)
    if ([...after].every(([name, count]) => before.get(name) === count)) continue
    changing.push(one.name)
    before = await archive()
  }
  expect(changing).toEqual(stillChanging)
})
