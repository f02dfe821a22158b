import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AuditStatus, ExamStatus, PayState, RefundStatus } from '#schemas/dictionaries'
import { appoint, drafting, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { lines } from '../../../../tests/helper/flow-bench.ts'
import { FlowBench } from '../../../../tests/helper/flow-runs.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, morning, notify, order, owing, payApp, payAt, standing } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { fileStatus, uploadPicture } from '../../../../tests/helper/upload.ts'
import { refusalCode } from '../../../platform/http/server/refusal.ts'

// Decisions of the business that a tenant leaves to a process.

let t: Awaited<ReturnType<typeof payApp>>
let b: FlowBench
let finance: Caller
let second: Caller

/** A model in which `b` decides: agreed leads to one action, refused to another. */
const deciding = (yes: string, no: string) =>
  `<startEvent id="s"/><userTask id="t" flowable:assignee="@b"/><exclusiveGateway id="g" default="g-n"/>` +
  `<serviceTask id="y" flowable:expression="\${${yes}}"/><serviceTask id="n" flowable:expression="\${${no}}"/><endEvent id="z"/>` +
  lines('s>t', 't>g', 'g>y pass', 'g>n', 'y>z', 'n>z')

beforeAll(async () => {
  t = await payApp()
  b = await new FlowBench(t).open()
  finance = await signIn(t, { role: 'finance' })
  second = await signIn(t, { role: 'admin' })
  await b.deploy('refunds', deciding('refundApprove', 'refundReject'))
  await b.deploy('changes', deciding('userUpdatePass', 'userUpdateReject'))
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
})

const leaveTo = (kind: string, key: string) =>
  t.db.updateTable('param').set({ paramValue: key }).where('paramKey', '=', `flow.biz.${kind}`).execute()
/** The run about a row. */
const runOf = async (table: string, id: string) =>
  t.db
    .selectFrom('flow_instance')
    .select(['id', 'facts', 'title'])
    .where('businessTable', '=', table)
    .where('businessId', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()

describe('a refund', () => {
  let one: Awaited<ReturnType<typeof owing>>
  let orderNo: string
  const base = '/api/blade-payOrder/payrefund'
  const slip = async () => (await standing(t, one.recordId)).slips.at(-1)!
  const press = async (what: string, body: object = {}) =>
    as(t, second).post(`${base}/${what}?id=${(await slip()).id}`, body)
  const apply = async (who = finance) => {
    expect(await as(t, who).post(`${base}/apply`, { orderNo, reason: '放弃考试' })).toMatchObject({ code: 200 })
    return (await runOf('payrefund', (await slip()).id))?.id ?? ''
  }

  beforeEach(async () => {
    one = await owing(t)
    await appoint(t, one.exam.id, finance, 4)
    const made = (await order(t, one.caller, one.recordId)).data
    orderNo = made.orderNo
    await payAt(made.codeUrl)
    await notify(t, orderNo)
    await leaveTo('refund', 'refunds')
  })

  test('waits for its process, not for the buttons, and is approved by it', async () => {
    const run = await apply()
    const { id, refundStatus } = await slip()
    expect(refundStatus).toBe(RefundStatus.requested)
    expect((await runOf('payrefund', id))?.facts).toMatchObject({
      orderNo,
      reason: '放弃考试',
      amount: expect.stringMatching(/^\d+\.\d\d$/),
    })
    for (const [what, body] of [
      ['approve', {}],
      ['reject', { reason: '不退' }],
    ] as const)
      expect(await press(what, body)).toMatchObject({ code: 29009, msg: '单据正在流程中' })
    await b.agree(run, 't:b')
    await b.expectOver(run)
    expect(await slip()).toMatchObject({ refundStatus: RefundStatus.processing, approveUser: b.id('b') })
  })

  test('is refused by its process, with words, and the money stays paid', async () => {
    const run = await apply()
    expect((await b.decide(run, 't:b', false)).code).toBe(200)
    expect(await slip()).toMatchObject({ refundStatus: RefundStatus.rejected, errMsg: '流程审批不通过' })
    expect((await standing(t, one.recordId)).record).toMatchObject({ payState: PayState.paid })
  })

  test('comes back to its buttons when the process is ended', async () => {
    const run = await apply()
    expect(
      (
        await b.post(`follow/delete-process-instance?processInstanceId=${run}&deleteReason=x`, 'chief', {
          processInstanceId: run,
          deleteReason: '不用了',
        })
      ).code,
    ).toBe(200)
    expect(await press('approve')).toMatchObject({ code: 200 })
  })

  test('comes back to its buttons when who asked for it takes the process back', async () => {
    const chief = b.who('chief')
    await appoint(t, one.exam.id, chief, 4)
    const run = await apply(chief)
    const cancel = { processInstanceId: run, reason: '不用了' }
    expect(await b.post('process/cancel-process-instance', 'chief', cancel)).toMatchObject({ code: 200 })
    expect((await slip()).refundStatus).toBe(RefundStatus.requested)
    expect(await press('approve')).toMatchObject({ code: 200 })
  })

  test('is not approved by whoever asked for it, nor by a process that is about something else', async () => {
    await b.deploy('mine', deciding('refundApprove', 'refundReject').replace('@b', '${initiator}'))
    await leaveTo('refund', 'mine')
    const chief = b.who('chief')
    await appoint(t, one.exam.id, chief, 4)
    const run = await apply(chief)
    expect(await b.decide(run, 't:chief')).toMatchObject({ code: refusalCode('row.sameApprover') })
    expect((await slip()).refundStatus).toBe(RefundStatus.requested)
    const other = await b.begin(await b.deploy('other', deciding('refundApprove', 'refundReject')))
    expect(await b.decide(other, 't:b')).toMatchObject({ code: 29005, msg: expect.stringContaining('不适用于') })
  })

  test('is as before where no process is named, and refused where the named one is not there', async () => {
    await leaveTo('refund', 'unheard')
    expect(await as(t, finance).post(`${base}/apply`, { orderNo, reason: '放弃' })).toMatchObject({
      code: 29005,
      msg: expect.stringContaining('没有部署流程unheard'),
    })
    expect((await standing(t, one.recordId)).slips).toEqual([])
    await leaveTo('refund', '-')
    expect(await apply()).toBe('')
    expect(await press('approve')).toMatchObject({ code: 200 })
  })
})

describe('an exemption', () => {
  const press = async (recordId: string, exemptFile: string, who = finance) =>
    as(t, who).post('/api/blade-payrecord/payrecord/exempt', { id: recordId, exemptReason: '低保', exemptFile })
  const stateOf = async (recordId: string) => (await standing(t, recordId)).record
  let one: Awaited<ReturnType<typeof owing>>
  let proof: string

  beforeEach(async () => {
    one = await owing(t)
    for (const who of [finance, b.who('chief')]) await appoint(t, one.exam.id, who, 4)
    await b.deploy(
      'exempts',
      `<startEvent id="s"/><userTask id="t" flowable:assignee="@b"/><exclusiveGateway id="g" default="g-z"/>` +
        `<serviceTask id="y" flowable:expression="\${exemptGrant}"/><endEvent id="z"/>` +
        lines('s>t', 't>g', 'g>y pass', 'g>z', 'y>z'),
    )
    await leaveTo('exempt', 'exempts')
    proof = await uploadPicture(t, finance, 'voucher')
  })

  test('is granted by its process, which shows the proof; until then nothing changes', async () => {
    expect(await press(one.recordId, proof)).toMatchObject({ code: 200 })
    const run = (await runOf('payrecord', one.recordId))?.id ?? ''
    expect(await stateOf(one.recordId)).toMatchObject({ payState: PayState.due, exemptReason: null })
    expect(await press(one.recordId, proof)).toMatchObject({ code: 29009, msg: '单据正在流程中' })
    // The candidate sees it, and whoever may exempt has it among the to-dos, which lead to these rows alone.
    const seen = async () => {
      const [mine, home, staff] = await Promise.all([
        as(t, one.caller).get<{ isExemptAsked: boolean }[]>('/api/blade-payrecord/payrecord/getMyPayList'),
        as(t, one.caller).get<{ records: { isExemptAsked: boolean; nextStep: string }[] }>(
          '/api/blade-signup/signup/myExamList',
        ),
        as(t, finance).get<{ todo: { opens: string; num: number }[] }>('/api/blade-desk/home/staff'),
      ])
      const opens = `/pay/record?${new URLSearchParams({ chip: '免缴待核' })}`
      const todo = staff.data.todo.find(each => each.opens === opens)
      const list = await as(t, finance).get<{ records: { id: string }[] }>(
        `/api/blade-payrecord/payrecord/page?${new URLSearchParams({ chip: '免缴待核' })}`,
      )
      return [mine.data[0]?.isExemptAsked, home.data.records[0], todo?.num, list.data.records.map(row => row.id)]
    }
    expect(await seen()).toMatchObject([true, { isExemptAsked: true, nextStep: 'PAY' }, 1, [one.recordId]])
    const { form } = await b.detail(run, 'b')
    expect(form.fields.map(({ name, type }) => [name, type])).toContainEqual(['免缴材料', 'file'])
    expect(form.values).toMatchObject({ reason: '低保', proof, amount: expect.stringMatching(/^\d+\.\d\d$/) })
    expect([await fileStatus(t, b.who('b'), proof), await fileStatus(t, b.who('c'), proof)]).toEqual([200, 404])
    await b.agree(run, 't:b')
    expect(await stateOf(one.recordId)).toMatchObject({
      payState: PayState.exempt,
      exemptReason: '低保',
      exemptFile: proof,
    })
    await b.expectOver(run)
    expect(await seen()).toMatchObject([false, { isExemptAsked: false }, undefined, []])
  })

  test('is not granted once it is paid, nor by whoever asked for it', async () => {
    expect(await press(one.recordId, proof)).toMatchObject({ code: 200 })
    const run = (await runOf('payrecord', one.recordId))?.id ?? ''
    const made = (await order(t, one.caller, one.recordId)).data
    expect(await b.decide(run, 't:b')).toMatchObject({ code: 29009, msg: '有未关闭的缴费订单，请先关闭订单' })
    await payAt(made.codeUrl)
    await notify(t, made.orderNo)
    expect(await b.decide(run, 't:b')).toMatchObject({ code: refusalCode('payment.alreadyPaid') })
    expect(await stateOf(one.recordId)).toMatchObject({ payState: PayState.paid })
  })
})

describe('a change of personal data', () => {
  const base = '/api/blade-userupdateinfo/userupdateinfo'
  const ask = async (name: string) => {
    const caller = await signIn(t, { role: 'candidate' })
    expect(await as(t, caller).post(`${base}/submit`, { realName: name, reason: '登记错误' })).toMatchObject({
      code: 200,
    })
    const row = await t.db
      .selectFrom('userupdateinfo')
      .selectAll()
      .where('realName', '=', name)
      .executeTakeFirstOrThrow()
    return { caller, row, run: (await runOf('userupdateinfo', row.id))?.id ?? '' }
  }
  const state = async (id: string) =>
    await t.db
      .selectFrom('userupdateinfo')
      .select(['updateStatus', 'auditRemark'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('is decided on by its process alone', async () => {
    await leaveTo('userUpdate', 'changes')
    const { row, run, caller } = await ask('改名甲')
    expect((await runOf('userupdateinfo', row.id))?.facts).toMatchObject({ fields: '真实姓名', reason: '登记错误' })
    for (const [what, body] of [
      ['pass', {}],
      ['reject', { remark: '不行' }],
    ] as const)
      expect(await as(t, second).post(`${base}/${what}?ids=${row.id}`, body)).toMatchObject({ code: 29009 })
    expect(await as(t, caller).post(`${base}/remove?ids=${row.id}`)).toMatchObject({ code: 29009 })
    await b.decide(run, 't:b', false)
    expect(await state(row.id)).toEqual({ updateStatus: AuditStatus.rejected, auditRemark: '流程审批不通过' })
    await b.expectOver(run)
  })

  test('is passed by its process: the account has the new name', async () => {
    await leaveTo('userUpdate', 'changes')
    const { row, run, caller } = await ask('改名乙')
    await b.agree(run, 't:b')
    expect(await state(row.id)).toMatchObject({ updateStatus: AuditStatus.approved })
    const user = await t.db.selectFrom('user').select('realName').where('id', '=', caller.userId).executeTakeFirst()
    expect(user).toEqual({ realName: '改名乙' })
    await b.expectOver(run)
  })
})

describe('the release of an exam', () => {
  const base = '/api/blade-exam/examination'

  beforeEach(async () => {
    t.setNow(drafting)
    await stayLoggedIn(t)
    await b.deploy(
      'releases',
      `<startEvent id="s"/><userTask id="t" flowable:assignee="@b"/><exclusiveGateway id="g" default="g-z"/>` +
        `<serviceTask id="y" flowable:expression="\${examRelease}"/><endEvent id="z"/>` +
        lines('s>t', 't>g', 'g>y pass', 'g>z', 'y>z'),
    )
    await leaveTo('examRelease', 'releases')
  })

  const ready = async () => {
    const { exam } = await makeDraft(t)
    return exam.id
  }
  const stateOf = async (id: string) =>
    (await t.db.selectFrom('examination').select('examStatus').where('id', '=', id).executeTakeFirstOrThrow())
      .examStatus
  const release = (id: string, who = second) => as(t, who).post(`${base}/releaseExam?id=${id}`)

  test('waits for its process, whose decision releases it', async () => {
    const id = await ready()
    expect(await release(id)).toMatchObject({ code: 200, data: { message: expect.stringContaining('已提交审批') } })
    expect(await stateOf(id)).toBe(ExamStatus.draft)
    const run = (await runOf('examination', id))?.id ?? ''
    expect(await release(id, b.who('chief'))).toMatchObject({ code: 29009, msg: '单据正在流程中' })
    await b.agree(run, 't:b')
    expect(await stateOf(id)).toBe(ExamStatus.released)
    await b.expectOver(run)
  })

  test('is not decided on by whoever asked for it', async () => {
    await b.deploy(
      'releases',
      `<startEvent id="s"/><userTask id="t" flowable:assignee="\${initiator}"/>` +
        `<serviceTask id="y" flowable:expression="\${examRelease}"/><endEvent id="z"/>${lines('s>t', 't>y', 'y>z')}`,
    )
    const id = await ready()
    expect(await release(id, b.who('chief'))).toMatchObject({ code: 200 })
    const run = (await runOf('examination', id))?.id ?? ''
    expect(await b.decide(run, 't:chief')).toMatchObject({ code: refusalCode('row.sameApprover') })
    expect(await stateOf(id)).toBe(ExamStatus.draft)
  })
})
