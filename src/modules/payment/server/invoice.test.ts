import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Attach } from '#schemas/resource/attach'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, makeSignup, morning, order, owing, payApp, recordOf, standing } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { uploadAs } from '../../../../tests/helper/upload.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { isTaxNo } from '../rules/invoice.ts'

let t: Awaited<ReturnType<typeof payApp>>
let one: Awaited<ReturnType<typeof owing>>
let finance: Caller

beforeAll(async () => {
  t = await payApp()
  finance = await signIn(t, { role: 'admin' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  one = await owing(t)
})

const base = '/api/blade-payrecord/payrecord'
const record = () => standing(t, one.recordId).then(found => found.record)
const paid = () => as(t, finance).post(`${base}/offlinePay?id=${one.recordId}`, { remark: '现金' })
const title = { invoiceType: 2, invoiceTitle: '某某医院', taxNo: '91350100m000100y43', invoiceEmail: 'a@b.cn' }
const ask = (more: object = {}, who = one.caller) =>
  as(t, who).post(`${base}/applyInvoice`, { id: one.recordId, ...title, ...more })
const confirm = (invoiceNo = '00012345') =>
  as(t, finance).post(`${base}/confirmInvoice?id=${one.recordId}`, { invoiceNo })

describe('an invoice', () => {
  test('is asked for when it is paid, corrected until it is issued, reversed and asked for again', async () => {
    expect(await ask()).toMatchObject({ code: 29009 })
    await paid()
    expect(await ask()).toMatchObject({ code: 200 })
    expect(await ask({ invoiceTitle: '另一医院' })).toMatchObject({ code: 200 })
    expect(await record()).toMatchObject({
      invoiceStatus: 1,
      isInvoice: 0,
      invoiceTitle: '另一医院',
      taxNo: '91350100M000100Y43',
    })
    expect(await confirm()).toMatchObject({ code: 200 })
    expect(await record()).toMatchObject({ invoiceStatus: 2, isInvoice: 1, invoiceNo: '00012345' })
    expect(await confirm()).toMatchObject({ code: 200 })
    expect(await confirm('00054321')).toMatchObject({ code: 24015, status: 409 })
    expect(await ask()).toMatchObject({ code: 24015 })
    expect(await as(t, finance).post(`${base}/redInvoice?id=${one.recordId}`)).toMatchObject({ code: 200 })
    expect(await record()).toMatchObject({ invoiceStatus: 3, isInvoice: 0, invoiceNo: '00012345' })
    expect(await confirm()).toMatchObject({ code: 29009 })
    expect(await ask()).toMatchObject({ code: 200 })
    const [mine] = (await as(t, one.caller).get<Record<string, unknown>[]>(`${base}/getMyPayList`)).data
    expect(mine).toMatchObject({ invoiceStatus: 1, invoiceTitle: '某某医院', invoiceNo: '00012345' })
    const history = (who: Caller) => as(t, who).get<{ actName: string }[]>(`${base}/history?id=${one.recordId}`)
    expect((await history(finance)).data.map(entry => entry.actName).toReversed()).toEqual([
      '线下登记',
      '申请开票',
      '申请开票',
      '确认开票',
      '红冲',
      '申请开票',
    ])
    expect((await history(one.caller)).status).toBe(403)
  })

  test('is refused with the fields that are wrong', async () => {
    await paid()
    const wrong = await ask({ invoiceTitle: '', taxNo: '91350100M000100Y44', invoiceEmail: 'nobody' })
    expect(wrong).toMatchObject({ code: 29005 })
    const fields = (wrong.data as unknown as { field: string }[]).map(one => one.field)
    expect(fields).toEqual(['invoiceTitle', 'taxNo', 'invoiceEmail'])
    expect(await ask({ invoiceType: 1, taxNo: '', invoiceEmail: '' })).toMatchObject({ code: 200 })
  })

  test('of somebody else does not exist', async () => {
    await paid()
    const other = await owing(t)
    expect(await ask({}, other.caller)).toMatchObject({ code: 24001, status: 404 })
    expect(await ask({}, await signIn(t, { role: 'reviewer' }))).toMatchObject({ code: 403 })
  })

  test('says when it was asked for, and of those chosen all that wait leave as an export', async () => {
    await paid()
    const asked = async () =>
      (
        await t.db
          .selectFrom('payrecord')
          .select('invoiceTime')
          .where('id', '=', one.recordId)
          .executeTakeFirstOrThrow()
      ).invoiceTime
    expect(await asked()).toBeNull()
    await ask()
    const first = await asked()
    expect(first).toEqual(t.app.now())
    t.setNow('2026-12-01 18:00:00')
    await stayLoggedIn(t)
    await ask({ invoiceTitle: '另一个抬头' })
    expect(await asked()).toEqual(first)
    const list = await as(t, finance).get(`${base}/page?view=invoice&examId=${one.exam.id}`)
    expect(list).toMatchObject({ data: { records: [{ id: one.recordId, invoiceTime: morning }] } })
    const take = (ids: string, who = finance) =>
      t.app.inject({ method: 'GET', url: `${base}/exportAsked?ids=${ids}`, headers: who.headers })
    const file = await take(one.recordId)
    const rows = []
    for await (const row of readRows(file.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    expect(rows[2]?.slice(0, 5)).toEqual([one.recordId, expect.anything(), expect.anything(), morning, '80'])
    const tasks = t.db
      .selectFrom('exporttask')
      .select(['title', 'bizType', 'rowNum', 'taskStatus', 'createUser', 'params'])
    expect(await tasks.execute()).toContainEqual({
      title: '待开票',
      bizType: 'payrecord',
      rowNum: 1,
      taskStatus: 2,
      createUser: finance.userId,
      params: { ids: [one.recordId] },
    })
    const none = (await take(`${one.recordId},1`)).json<{ code: number }>()
    expect(none).toMatchObject({ code: 29002 })
    expect((await take(one.recordId, await signIn(t, { role: 'reviewer' }))).statusCode).toBe(403)
  })

  test('is issued by the sheet that comes back', async () => {
    await paid()
    await ask()
    const url = `${base}/exportInvoice?examId=${one.exam.id}`
    const file = await t.app.inject({ method: 'GET', url, headers: finance.headers })
    const rows = []
    for await (const row of readRows(file.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    expect(rows[2]).toEqual([
      one.recordId,
      expect.anything(),
      expect.anything(),
      morning,
      '80',
      '单位',
      '某某医院',
      '91350100M000100Y43',
      'a@b.cn',
      '',
    ])
    const columns = rows[1]!.map(head => ({ title: head.replace('* ', ''), required: head.startsWith('*') }))
    const sheet = (lines: unknown[][]) => templateWorkbook({ sheet: 'x', version: 'invoice-1', columns, rows: lines })
    const line = (id: string, no: string) => [id, '', '', '', 80, '', '', '', '', no]
    const bring = async (lines: unknown[][], mode = '1') =>
      uploadAs(t, finance, `${base}/importInvoice`, { name: '票.xlsx', bytes: await sheet(lines) }, { mode })
    const bad = await bring([line(one.recordId, 'P1'), line('1', 'P2')])
    expect(bad).toMatchObject({
      code: 28006,
      data: { total: 2, success: 0, errors: [{ row: 4, msg: '缴费记录不存在' }] },
    })
    expect((await record()).invoiceStatus).toBe(1)
    expect(await bring([line(one.recordId, 'P1'), line('1', 'P2')], '2')).toMatchObject({
      data: { success: 1, failed: 1 },
    })
    expect(await record()).toMatchObject({ invoiceStatus: 2, isInvoice: 1, invoiceNo: 'P1' })
    expect(await bring([line(one.recordId, 'P1')])).toMatchObject({ code: 28006 })
  })
})

test('tax numbers carry their check character', () => {
  expect(['91350100M000100Y43', '123456789012345'].map(isTaxNo)).toEqual([true, true])
  expect(['91350100M000100Y4I', '91350100M000100Y45', '12345', ''].map(isTaxNo)).toEqual([false, false, false, false])
})

describe('a list of people who need not pay', () => {
  const columns = ['证件号码', '姓名', '免缴原因'].map(head => ({ title: head, required: true }))
  let exemptFile: string
  beforeAll(async () => {
    exemptFile = (await insert(t.app, Attach)).id
  })
  const bring = async (lines: unknown[][], mode = '1', itemId = one.stage.id, more: object = { exemptFile }) => {
    const bytes = await templateWorkbook({ sheet: 'x', version: 'payexempt-1', columns, rows: lines })
    return uploadAs(t, finance, `${base}/importExempt`, { name: '免缴.xlsx', bytes }, { mode, itemId, ...more })
  }
  const line = async (recordId: string, more: { name?: string; reason?: string } = {}) => {
    const { record: row } = await standing(t, recordId)
    return [t.app.vault.open(row.idCard as string), more.name ?? row.name, more.reason ?? '城乡低保家庭']
  }

  test('is checked as a whole, and closes open orders', async () => {
    const other = await makeSignup(t, one.exam.id)
    await t.db.updateTable('exampay').set({ payStatus: 0 }).where('id', '=', one.fee.id).execute()
    await as(t, t.staff).post(`/api/blade-examPay/exampay/releasePay?id=${one.fee.id}`)
    const second = await recordOf(t, other.signup.id)
    await order(t, one.caller, one.recordId)
    const lines = [await line(one.recordId), await line(second, { name: '别人' })]
    expect(await bring(lines)).toMatchObject({ code: 28006, data: { errors: [{ row: 4, column: '姓名' }] } })
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 0, states: [0] })
    const good = [await line(one.recordId), await line(second)]
    const without = { code: 29005, data: [{ field: 'exemptFile' }] }
    expect(await bring(good, '1', one.stage.id, {})).toMatchObject(without)
    expect(await bring(good, '1', one.stage.id, { exemptFile: '123' })).toMatchObject({ code: 28009 })
    expect(await standing(t, second)).toMatchObject({ payState: 0 })
    const done = await bring(good)
    expect(done).toMatchObject({ code: 200, data: { total: 2, success: 2, failed: 0 } })
    const found = await standing(t, one.recordId)
    expect(found).toMatchObject({
      payState: 2,
      copy: 2,
      states: [2],
      record: { exemptReason: '城乡低保家庭', exemptFile },
    })
    expect(await standing(t, second)).toMatchObject({ payState: 2 })
    const told = await t.db.selectFrom('event').select('subjectId').where('code', '=', 'payrecord.exempted').execute()
    expect(told.map(({ subjectId }) => subjectId).toSorted()).toEqual([one.recordId, second].toSorted())
    const again = await bring([await line(one.recordId)])
    expect(again).toMatchObject({ code: 28006, data: { errors: [{ msg: '已免缴' }] } })
  })

  test('needs a stage in sight and the right to bring it', async () => {
    expect(await bring([await line(one.recordId)], '1', '1')).toMatchObject({ code: 29001 })
    const { headers } = await signIn(t, { role: 'reviewer' })
    const answer = await t.call({ method: 'GET', url: `${base}/exemptTemplate`, headers })
    expect(answer.code).toBe(403)
  })
})
