import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maskSealed } from '#engine'
import { AccountStatus, InvoiceStatus, PayBizType, PayState } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examitems } from '#schemas/exams/examitems'
import { Examuser } from '#schemas/exams/examuser'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Signup } from '#schemas/sign-up/signup'
import { Signuplog } from '#schemas/sign-up/signuplog'
import { shanghai, type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert, sampleIdCard } from '../../tests/helper/sample.ts'
import type { Person } from '../platform/http/server/access.ts'
import { readRows } from '../platform/workbook/workbook-read.ts'
import { inScope, scoped } from './scope.ts'

let t: TestApp
let officer: Caller
let reviewer: Caller
let admin: Caller
let elsewhere: Caller
const exams: string[] = []

const permissions = [
  'examination',
  'examination_view',
  'examination_edit',
  'examitems',
  'examitems_edit',
  'signup',
  'signup_view',
]

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  admin = await signIn(t, { role: 'administrator' })
  officer = await signIn(t, { permissions })
  reviewer = await signIn(t, { permissions: [...permissions, 'signuplog'] })
  elsewhere = await signIn(t, { tenantId: '000003', role: 'admin', permissions })
  for (const examCode of ['E1', 'E2', 'E3']) exams.push((await insert(t.app, Examination, { examCode })).id)
  const [one, two, three] = exams as [string, string, string]
  const people = [
    ['a', one, 'U1', 'c1', null],
    ['b', one, 'U1', 'c2', null],
    ['c', one, 'U2', 'c3', null],
    ['d', two, 'U1', 'c1', null],
    ['e', one, 'U2', 'c3', 'U1'],
  ] as const
  for (const [i, [name, examId, unit, code, finalUnit]] of people.entries())
    await insert(t.app, Signup, {
      name,
      examId,
      unit,
      code,
      finalUnit,
      finalCode: null,
      idCard: sampleIdCard(i),
      userId: String(i),
    })
  const appoint = (userId: string, examId: string, examRole: number, more = {}) =>
    insert(t.app, Examuser, { userId, examId, examRole: examRole as never, units: null, codes: null, ...more })
  await appoint(officer.userId, one, 1)
  await appoint(officer.userId, two, 1, { endTime: shanghai('2026-05-31 00:00:00') })
  await appoint(officer.userId, three, 1, { enable: 0 })
  await appoint(reviewer.userId, one, 2, { units: 'U1', codes: 'c1,c3' })
})
afterAll(() => t.close())

const names = async (path: string, field: string, caller: Caller) => {
  const page = await t.call<{ records: Record<string, string>[] }>({
    url: `/api${path}/page?size=100`,
    headers: caller.headers,
  })
  return page.data.records.map(row => row[field]).sort()
}

describe('staff see the exams they are appointed to', () => {
  test('administrators all of their tenant', async () => {
    expect(await names('/blade-exam/examination', 'examCode', admin)).toEqual(['E1', 'E2', 'E3'])
    expect(await names('/blade-signup/signup', 'name', admin)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await names('/blade-exam/examination', 'examCode', elsewhere)).toEqual([])
  })

  test('others while the appointment is enabled and valid', async () => {
    expect(await names('/blade-exam/examination', 'examCode', officer)).toEqual(['E1'])
    expect(await names('/blade-signup/signup', 'name', officer)).toEqual(['a', 'b', 'c', 'e'])
    t.setNow('2026-05-30 08:00:00')
    expect(await names('/blade-exam/examination', 'examCode', officer)).toEqual(['E1', 'E2'])
    t.setNow('2026-06-01 08:00:00')
  })

  test('reviewers only their units and positions, by the post in force', async () =>
    expect(await names('/blade-signup/signup', 'name', reviewer)).toEqual(['a', 'e']))

  test('also when all of them look at the same moment, twice', async () => {
    const callers = [admin, officer, reviewer, elsewhere]
    const seen = await Promise.all([...callers, ...callers].map(one => names('/blade-signup/signup', 'name', one)))
    const mine = [['a', 'b', 'c', 'd', 'e'], ['a', 'b', 'c', 'e'], ['a', 'e'], []]
    expect(seen).toEqual([...mine, ...mine])
  })

  test('logs follow the sign-up', async () => {
    const rows = await t.db.selectFrom('signup').select(['id', 'name']).execute()
    for (const { id } of rows) await insert(t.app, Signuplog, { signupId: id })
    const seen = await names('/blade-signup/signuplog', 'signupId', reviewer)
    const own = rows.filter(row => ['a', 'e'].includes(row.name)).map(row => row.id)
    expect(seen).toEqual(own.sort())
  })

  test('and write nothing elsewhere: neither change nor move a row there', async () => {
    const [one, two] = exams as [string, string]
    const foreign = await insert(t.app, Examitems, { examId: two, code: 'x1' })
    const mine = await insert(t.app, Examitems, { examId: one, code: 'x2' })
    const submit = (payload: object) =>
      t.call({ method: 'POST', url: '/api/blade-examitem/examitems/submit', headers: officer.headers, payload })
    expect((await submit({ id: foreign.id, version: 0, postName: '改' })).code).toBe(29001)
    expect([29001, 29005]).toContain((await submit({ id: mine.id, version: 0, examId: two })).code)
    const [row] = (await t.pool.query('SELECT "examId" FROM examitems WHERE id = $1', [mine.id])).rows
    expect(row.examId).toBe(one)
  })
})

describe('columns behind a reference', () => {
  const list = async (path: string, query: string, caller: Caller) =>
    (
      await t.call<{ records: Record<string, string>[]; total: number }>({
        url: `/api${path}/page?size=100${query}`,
        headers: caller.headers,
      })
    ).data

  test('are read with the list, sorted and searched by', async () => {
    const examCodes = new Map(
      (await t.db.selectFrom('examination').select(['id', 'examCode']).execute()).map(one => [one.id, one.examCode]),
    )
    const signups = await t.db.selectFrom('signup').select(['id', 'name', 'signNo', 'examId']).orderBy('name').execute()
    const rows = (await list('/blade-signup/signuplog', '&descs=signup.signNo', reviewer)).records
    const own = signups.filter(one => ['a', 'e'].includes(one.name))
    const byNumber = own.toSorted((one, other) => (one.signNo! < other.signNo! ? 1 : -1))
    expect(rows.map(row => [row.signupId, row['signup.signNo'], row['signup.examId']])).toEqual(
      byNumber.map(one => [one.id, one.signNo, one.examId]),
    )
    expect(rows.every(row => row['signup.examIdName'] !== '')).toBe(true)
    expect(examCodes.size).toBe(3)
    const found = await list('/blade-signup/signuplog', `&signup.signNo=${own[0]!.signNo}`, reviewer)
    expect(found).toMatchObject({ total: 1, records: [{ signupId: own[0]!.id }] })
    const { data } = await t.call<Record<string, string>>({
      url: `/api/blade-signup/signuplog/detail?id=${found.records[0]!.id}`,
      headers: admin.headers,
    })
    expect(data['signup.signNo']).toBe(own[0]!.signNo)
  })

  test('are empty where the row behind is not met, and find nothing there', async () => {
    const auditor = await signIn(t, { role: 'auditor' })
    const { records } = await list('/blade-signup/signuplog', '', auditor)
    expect(records).toHaveLength(5)
    expect(records.map(row => row['signup.signNo'])).toEqual(['', '', '', '', ''])
    const { signNo } = await t.db.selectFrom('signup').select('signNo').executeTakeFirstOrThrow()
    expect((await list('/blade-signup/signuplog', `&signup.signNo=${signNo}`, auditor)).total).toBe(0)
    const sorted = await list('/blade-signup/signuplog', '&ascs=signup.signNo', auditor)
    expect(sorted.records.map(row => row.id)).toEqual(records.map(row => row.id).toSorted())
  })

  test('show sealed texts masked, and other names are refused', async () => {
    const idCard = sampleIdCard(77)
    const record = await insert(t.app, Payrecord, { idCard, examId: exams[2]! })
    const order = await insert(t.app, Payorder, { bizId: record.id, bizType: PayBizType.examFee })
    await insert(t.app, Payrefund, { payOrderId: order.id, payRecordId: record.id })
    const { records } = await list('/blade-payOrder/payrefund', '', admin)
    expect(records.map(row => row['payRecord.idCard'])).toEqual([maskSealed(idCard)])
    const refused = await t.call({
      url: '/api/blade-payOrder/payrefund/page?payOrder.body=x',
      headers: admin.headers,
    })
    expect(refused.code).toBe(29005)
    const book = await t.app.inject({ url: '/api/blade-payOrder/payrefund/export', headers: admin.headers })
    const rows = []
    for await (const row of readRows(book.rawPayload)) rows.push(row.cells.map(cell => cell?.text))
    expect(rows[0]).toEqual(expect.arrayContaining(['证件号码', '渠道']))
    expect(rows[1]).toEqual(expect.arrayContaining([maskSealed(idCard)]))
  })
})

describe('a view', () => {
  const base = '/blade-payrecord/payrecord'
  let all: Caller
  let clerk: Caller
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    const codes = ['pay_invoice', 'pay_invoice_view', 'pay_invoice_export', 'pay_invoice_invoice']
    clerk = await signIn(t, { permissions: [...codes, 'pay_statistics'] })
    all = await signIn(t, { permissions: [...codes, 'payrecord', 'payrecord_view'] })
    const [one, two] = exams as [string, string]
    for (const { userId } of [clerk, all])
      await insert(t.app, Examuser, { userId, examId: one, examRole: 4, units: null, codes: null })
    const states = { none: InvoiceStatus.none, asked: InvoiceStatus.asked, issued: InvoiceStatus.issued }
    for (const [i, [name, invoiceStatus]] of Object.entries(states).entries())
      ids[name] = (
        await insert(t.app, Payrecord, {
          name,
          examId: one,
          itemId: `90${i}`,
          amount: 100,
          payState: PayState.paid,
          invoiceStatus,
        })
      ).id
    const elsewhereIn = {
      name: 'other exam',
      examId: two,
      itemId: '909',
      payState: PayState.paid,
      invoiceStatus: InvoiceStatus.asked,
    }
    ids.elsewhere = (await insert(t.app, Payrecord, elsewhereIn)).id
  })
  const seen = async (caller: Caller, query = '') => {
    const { data } = await t.call<{ records: { name: string }[]; total: number }>({
      url: `/api${base}/page?size=100${query}`,
      headers: caller.headers,
    })
    expect(data.total).toBe(data.records.length)
    return data.records.map(row => row.name).sort()
  }
  const get = (path: string, caller: Caller) =>
    t.call<Record<string, unknown>>({ url: `/api${base}/${path}`, headers: caller.headers })
  const post = (path: string, caller: Caller, payload: object) =>
    t.call({ method: 'POST', url: `/api${base}/${path}`, headers: caller.headers, payload })

  test('shows its own rows to whoever holds nothing else, whatever they ask for', async () => {
    expect(await seen(clerk)).toEqual(['asked', 'issued'])
    expect(await seen(clerk, '&invoiceStatus=0')).toEqual([])
    expect(await seen(clerk, '&view=invoice&invoiceStatus=2')).toEqual(['issued'])
    expect((await get(`detail?id=${ids.asked}`, clerk)).data.name).toBe('asked')
    expect((await get(`detail?id=${ids.none}`, clerk)).code).toBe(29001)
    expect((await get('totals', clerk)).data).toEqual({ amount: 200, income: 200 })
    expect((await get(`page?ids=${ids.none}`, clerk)).code).toBe(29005)
  })

  test('lets them do to these rows what its buttons do, and nothing to others', async () => {
    const invoiceNo = { invoiceNo: 'N1' }
    expect((await post(`confirmInvoice?id=${ids.none}`, clerk, invoiceNo)).code).toBe(24001)
    expect((await post(`confirmInvoice?id=${ids.elsewhere}`, clerk, invoiceNo)).code).toBe(24001)
    const title = { id: ids.none, invoiceType: 1, invoiceTitle: '王' }
    expect((await post('applyInvoice', clerk, title)).code).toBe(24001)
    expect((await post('applyInvoice', clerk, { ...title, id: ids.asked })).code).toBe(200)
    expect((await post(`confirmInvoice?id=${ids.asked}`, clerk, invoiceNo)).code).toBe(200)
    expect((await post(`offlinePay?id=${ids.asked}`, clerk, { remark: 'x' })).code).toBe(403)
    const sheet = await t.app.inject({ url: `/api${base}/exportInvoice`, headers: clerk.headers })
    expect(sheet.statusCode).toBe(200)
    await t.db
      .updateTable('payrecord')
      .set({ invoiceStatus: InvoiceStatus.asked })
      .where('id', '=', ids.asked!)
      .execute()
  })

  test('narrows the list of whoever holds the resource, who meets the other rows, too', async () => {
    expect(await seen(all)).toEqual(['asked', 'issued', 'none'])
    expect(await seen(all, '&view=invoice')).toEqual(['asked', 'issued'])
    expect((await get(`detail?id=${ids.none}`, all)).data.name).toBe('none')
    expect((await get('page?view=invioce', all)).code).toBe(29005)
    expect((await get('page?view=invoice', await signIn(t, { role: 'candidate' }))).code).toBe(29005)
  })

  test('has its own columns in the workbook', async () => {
    const book = await t.app.inject({ url: `/api${base}/export?view=invoice`, headers: clerk.headers })
    const rows: (string | undefined)[][] = []
    for await (const row of readRows(book.rawPayload)) rows.push(row.cells.map(cell => cell?.text))
    expect(rows[0]).toEqual([
      '姓名',
      '报名号',
      '考试',
      '发票抬头',
      '税号',
      '金额',
      '开票状态',
      '申请开票时间',
      '票据号码',
      '缴费时间',
      '抬头类型',
      '接收邮箱',
    ])
    expect(rows.filter(row => ['asked', 'issued', 'none'].includes(row[0] ?? ''))).toHaveLength(2)
  })

  test('opens no other call to its holders', async () => {
    expect((await t.call({ url: '/api/blade-payrecordmain/payrecordmain/page', headers: clerk.headers })).code).toBe(
      403,
    )
    expect((await get('exemptTemplate', clerk)).code).toBe(403)
    const registrar = await signIn(t, { permissions: ['useraudit'] })
    const { data } = await t.call<{ records: { accountStatus: number }[] }>({
      url: '/api/blade-system/user/page?size=200',
      headers: registrar.headers,
    })
    expect(data.records.filter(row => row.accountStatus !== AccountStatus.pending)).toEqual([])
  })
})

describe('queries by hand', () => {
  const person = (caller: Caller, roles: string[], userType = 1): Person => ({
    userId: caller.userId,
    tenantId: caller.tenantId,
    account: '',
    name: '',
    roleIds: [],
    roles,
    deptIds: [],
    userType,
    userCode: '',
    isStaff: userType === 1,
    permissions: new Set<string>(),
    sessionId: '',
    clientId: '',
  })

  test('meet the same rows', async () => {
    const found = await scoped(t.app, person(reviewer, []), 'signup').select('name').orderBy('name').execute()
    expect(found.map(row => row.name)).toEqual(['a', 'e'])
    const none = await scoped(t.app, person(reviewer, [], 2), 'examination')
      .select('id')
      .execute()
    expect(none).toEqual([])
  })

  test('also with another name and in changes', async () => {
    const joined = await t.db
      .selectFrom('signup as s')
      .innerJoin('examination as e', 'e.id', 's.examId')
      .where(inScope(t.app, person(officer, []), 'signup', 's'))
      .select(['s.name', 'e.examCode'])
      .execute()
    expect(joined).toHaveLength(4)
    const changed = await t.db
      .updateTable('signup')
      .set({ examineRemark: 'x' })
      .where(inScope(t.app, person(reviewer, []), 'signup'))
      .executeTakeFirst()
    expect(changed.numUpdatedRows).toBe(2n)
  })
})
