import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Exampay } from '#schemas/payment/exampay'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrecordmain } from '#schemas/payment/payrecordmain'
import { Postreductionname } from '#schemas/reduction/postreductionname'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import {
  choiceOf,
  choose,
  cutAll,
  makeCutExam,
  makePassed,
  reduceTimes,
} from '../../../../tests/helper/reduction-bench.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { at, get, post, put, reviewer, signApp } from '../../../../tests/helper/sign-bench.ts'
import { readBeforeMoving } from '../../../../tests/helper/without-locks.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { choose as chooseAnew } from './choose.ts'
import { expireChoices } from './expire-choices.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

const review = '/api/blade-signup/examine'

/** An exam whose A01 was cancelled, inside the window: two people have to choose, B02 has two places taken of three. */
async function scene(more: Parameters<typeof makeCutExam>[1] = {}) {
  await at(t, reduceTimes.computing)
  const made = await makeCutExam(t, more)
  const examId = made.exam.id
  const [mine, other] = [await makePassed(t, examId, 'A01'), await makePassed(t, examId, 'A01')]
  for (const code of ['B01', 'B01', 'B02', 'B02']) await makePassed(t, examId, code)
  const { code } = await cutAll(t, examId, made.staff, made.admin)
  expect(code).toBe(200)
  await at(t, reduceTimes.inside)
  return { ...made, examId, mine, other }
}

const rowOf = (id: string) => t.db.selectFrom('signup').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const nameOf = (id: string) =>
  t.db.selectFrom('postreductionname').selectAll().where('signupId', '=', id).executeTakeFirstOrThrow()
const decideMove = (who: Caller, id: string, examineResult: number, examineResultRemark = '') =>
  post<{ nextId: string }>(t, who, `${review}/examine`, { signUpId: id, examineResult, examineResultRemark })

/** A sign-up that has paid for its exam. */
async function pay(examId: string, signupId: string, userId: string): Promise<void> {
  const stage = await insert(t.app, Examinationitem, { examId, needPay: 1, itemStatus: 1, candidateRule: 1 })
  const times = { startTime: shanghai('2026-12-01 00:00:00'), endTime: shanghai('2026-12-20 00:00:00') }
  const fee = await insert(t.app, Exampay, { examId, itemId: stage.id, payStatus: 1, ...times })
  const main = await insert(t.app, Payrecordmain, { examId, itemId: stage.id, exampayId: fee.id })
  const money = { amount: 8000, paidAmount: null, refundAmount: null }
  const order = await insert(t.app, Payorder, { orderStatus: 1, bizType: 1, userId, ...money })
  const record = await insert(t.app, Payrecord, {
    examId,
    itemId: stage.id,
    mainId: main.id,
    signupId,
    userId,
    payState: 1,
    payOrderId: order.id,
    amount: 8000,
    code: 'A01',
    unit: 'u1',
  })
  await t.db.updateTable('payorder').set({ bizId: record.id }).where('id', '=', order.id).execute()
  await put(t, signupId, { payState: 1 })
}

describe('what one is told (getPostReductionInfo)', () => {
  it('names what was cancelled, until when, and where one may go', async () => {
    const { mine, examId } = await scene()
    const { data } = await choiceOf(t, mine.who, mine.id)
    expect(data).toMatchObject({
      state: 1,
      canChoose: true,
      decision: 3,
      old: { code: 'A01', postName: '岗位A01' },
      paid: false,
      refund: '',
      window: { start: reduceTimes.start, end: reduceTimes.end },
    })
    expect(data.targets.map(one => one.code)).toEqual(['B01', 'B02'])
    const list = await get<{ records: { nextStep: string }[] }>(t, mine.who, 'myExamList')
    expect(list.data.records[0]).toMatchObject({ nextStep: 'CHOOSE_POST', deadline: reduceTimes.end })
    await t.db
      .updateTable('examitems')
      .set({ sexReq: 2 })
      .where('examId', '=', examId)
      .where('code', '=', 'B01')
      .execute()
    await t.db
      .updateTable('examitems')
      .set({ examSubject: '2' })
      .where('examId', '=', examId)
      .where('code', '=', 'B02')
      .execute()
    expect((await choiceOf(t, mine.who, mine.id)).data.targets).toEqual([])
  })

  it("answers for another's like for none", async () => {
    const { mine, other, staff } = await scene()
    expect((await choiceOf(t, other.who, mine.id)).code).toBe(22010)
    expect((await choiceOf(t, other.who, '1')).code).toBe(22010)
    expect((await choiceOf(t, staff, mine.id)).code).toBe(200)
    const { id, who } = await makePassed(t, (await rowOf(mine.id)).examId, 'B01')
    expect((await choiceOf(t, who, id)).code).toBe(23002)
  })
})

describe('choosing (P5)', () => {
  it('is done once; the same again changes nothing', async () => {
    const { mine } = await scene()
    expect(await choose(t, mine.who, mine.id, 'B01')).toMatchObject({ code: 200, data: { state: 2 } })
    expect(await choose(t, mine.who, mine.id, 'B01')).toMatchObject({ code: 200, data: { state: 2 } })
    expect((await choose(t, mine.who, mine.id, 'B02')).code).toBe(23004)
    expect((await choose(t, mine.who, mine.id)).code).toBe(23004)
    const row = await rowOf(mine.id)
    expect(row).toMatchObject({ code: 'A01', code2: 'B01', unit2: 'u2', finalCode: 'A01', reduceState: 2 })
    expect(await nameOf(mine.id)).toMatchObject({ nameState: 2, newCode: 'B01', choiceBy: 1 })
    const logs = await t.db.selectFrom('signuplog').selectAll().where('signupId', '=', mine.id).execute()
    expect(logs.map(log => log.action)).toEqual([5])
  })

  it.each([
    ['1 ms before the window', shanghai(reduceTimes.start).getTime() - 1, 'B01', 23003],
    ['as the window opens', shanghai(reduceTimes.start).getTime(), 'B01', 200],
    ['1 ms before the window ends', shanghai(reduceTimes.end).getTime() - 1, 'B01', 200],
    ['as the window ends', shanghai(reduceTimes.end).getTime(), 'B01', 23003],
    ['the present position', shanghai(reduceTimes.inside).getTime(), 'A01', 23005],
    ['none there is', shanghai(reduceTimes.inside).getTime(), 'Z01', 21007],
  ])('%s', async (_, time, code, answer) => {
    const { mine } = await scene()
    await at(t, new Date(time))
    expect((await choose(t, mine.who, mine.id, code)).code).toBe(answer)
    expect((await rowOf(mine.id)).reduceState).toBe(answer === 200 ? 2 : 1)
  })

  it.each([
    [{ sexReq: 2 }, 23005, /性别/],
    [{ examSubject: '2' }, 23005, /笔试科目不同/],
    [{ enable: 0 }, 23005, /停用/],
    [{ postStatus: 3 }, 23005, /取消/],
    [{ maxSignup: 2 }, 22005, /已满/],
  ])('a position with %o is refused with the reason', async (change, code, words) => {
    const { mine, examId } = await scene()
    await t.db
      .updateTable('examitems')
      .set(change as never)
      .where('examId', '=', examId)
      .where('code', '=', 'B01')
      .execute()
    const answer = await choose(t, mine.who, mine.id, 'B01')
    expect([answer.code, answer.msg]).toEqual([code, expect.stringMatching(words)])
  })

  it('is not for those who keep their position', async () => {
    const { examId } = await scene()
    const { who, id } = await makePassed(t, examId, 'B01')
    expect((await choose(t, who, id, 'B02')).code).toBe(23002)
  })

  it('can be taken down by staff, with a note', async () => {
    const { mine, staff } = await scene()
    expect((await choose(t, staff, mine.id, 'B01')).code).toBe(29005)
    expect((await choose(t, staff, mine.id, 'B01', { remark: '电话确认' })).code).toBe(200)
    expect(await nameOf(mine.id)).toMatchObject({ choiceBy: 2, remark: '电话确认' })
  })

  it('gives the last place to exactly one of many, on two servers; to more when counts are read before they are moved', async () => {
    const second = await testApp({ url: t.url, now: reduceTimes.inside })
    const crowd = async () => {
      const { examId, exam } = await scene()
      const people = []
      for (let i = 0; i < 8; i++) people.push(await makePassed(t, examId, 'A01', { reduceState: 1 }))
      for (const { id } of people) await insert(t.app, Postreductionname, { examId, signupId: id, nameState: 1 })
      return { exam, people }
    }
    const run = async ({ exam, people }: Awaited<ReturnType<typeof crowd>>) => {
      const tries = people.map(async ({ who, id }, i) => {
        const { app } = i % 2 ? second : t
        const person = { userId: who.userId, tenantId: '000000', deptIds: [] } as never
        const caller = {
          db: liveAs({ db: app.db, now: () => app.now() }, person),
          vault: app.vault,
          person,
          now: app.now(),
          ip: '',
          meter: app.meter,
        }
        const choice = { signupId: id, agree: 1 as const, code2: 'B02' }
        return chooseAnew(caller, exam as never, await rowOf(id), choice, 1).catch(error => error.code)
      })
      return (await Promise.all(tries)).filter(state => state === 2).length
    }
    expect(await run(await crowd())).toBe(1)
    const another = await crowd()
    await readBeforeMoving(t, async () => expect(await run(another)).toBeGreaterThan(1))
    await second.close()
  })
})

describe('declining and being late (P6, P8)', () => {
  it('declines once', async () => {
    const { mine } = await scene()
    expect(await choose(t, mine.who, mine.id)).toMatchObject({ code: 200, data: { state: 5 } })
    expect(await choose(t, mine.who, mine.id)).toMatchObject({ code: 200, data: { state: 5 } })
    expect((await choose(t, mine.who, mine.id, 'B01')).code).toBe(23004)
    expect(await nameOf(mine.id)).toMatchObject({ nameState: 5, needRefund: 0 })
  })

  it('asks the money back for those who have paid, once', async () => {
    const { mine, other, examId } = await scene()
    await pay(examId, mine.id, mine.who.userId)
    await pay(examId, other.id, other.who.userId)
    expect((await choiceOf(t, mine.who, mine.id)).data).toMatchObject({ paid: true, refund: '' })
    await Promise.all([choose(t, mine.who, mine.id), choose(t, mine.who, mine.id)])
    await at(t, reduceTimes.end)
    await Promise.all([expireChoices(t, t.app.now()), expireChoices(t, t.app.now())])
    for (const { id, who } of [mine, other]) {
      const slips = await t.db
        .selectFrom('payrefund as f')
        .innerJoin('payrecord as r', 'r.id', 'f.payRecordId')
        .select(['f.amount', 'f.refundStatus'])
        .where('r.signupId', '=', id)
        .execute()
      expect(slips).toEqual([{ amount: 8000, refundStatus: 0 }])
      expect((await choiceOf(t, who, id)).data).toMatchObject({ paid: true, refund: 'refunding', canChoose: false })
      expect(await nameOf(id)).toMatchObject({ needRefund: 1 })
    }
    expect([(await rowOf(mine.id)).reduceState, (await rowOf(other.id)).reduceState]).toEqual([5, 6])
    expect((await choose(t, other.who, other.id, 'B01')).code).toBe(23003)
  })

  it('leaves alone whoever has chosen, and who has time, in every tenant', async () => {
    const { mine, other } = await scene()
    await choose(t, mine.who, mine.id, 'B01')
    const tenantId = '000009'
    const far = await makeCutExam(t, { tenantId })
    const late = await makePassed(t, far.exam.id, 'A01', { tenantId, reduceState: 1 })
    await insert(t.app, Postreductionname, { tenantId, examId: far.exam.id, signupId: late.id, nameState: 1 })
    await t.app.jobs.run('reduction-lapse')
    expect((await rowOf(other.id)).reduceState).toBe(1)
    await at(t, reduceTimes.end)
    await t.app.jobs.run('reduction-lapse')
    expect([(await rowOf(mine.id)).reduceState, (await rowOf(other.id)).reduceState]).toEqual([2, 6])
    expect((await rowOf(late.id)).reduceState).toBe(6)
    expect(await nameOf(late.id)).toMatchObject({ nameState: 6 })
  })
})

describe('review of the choice (R6, P7)', () => {
  it('is done by the reviewers of the new unit, and puts the new position in force', async () => {
    const { mine, other, admin, examId } = await scene()
    const [old, fresh] = [await reviewer(t, examId, 2, { units: 'u1' }), await reviewer(t, examId, 2, { units: 'u2' })]
    await pay(examId, mine.id, mine.who.userId)
    await choose(t, mine.who, mine.id, 'B01')
    expect((await decideMove(old, mine.id, 1)).code).toBe(22032)
    const list = await get<{ records: object[]; counters: object }>(t, fresh, `${review}/getExamineList?stage=3`)
    expect(list.data).toMatchObject({
      records: [{ signUpId: mine.id, code: 'B01', oldCode: 'A01' }],
      counters: { wait: 1 },
    })
    const info = await get<{ can: object; signup: object }>(t, fresh, `${review}/getExamineInfo?signUpId=${mine.id}`)
    expect(info.data).toMatchObject({ can: { examine: true, move: true }, signup: { code: 'B01', oldCode: 'A01' } })
    // Lines of the list say who made them and who chose; what follows from either changes neither.
    const chosen = { createUser: admin.userId, updateUser: mine.who.userId }
    expect(await nameOf(mine.id)).toMatchObject({ nameState: 2, ...chosen })
    expect(await nameOf(other.id)).toMatchObject({ nameState: 1, createUser: admin.userId, updateUser: null })
    expect((await decideMove(fresh, mine.id, 3, '补')).code).toBe(22036)
    expect((await decideMove(fresh, mine.id, 1)).code).toBe(200)
    expect(await rowOf(mine.id)).toMatchObject({
      code: 'A01',
      unit: 'u1',
      finalCode: 'B01',
      finalUnit: 'u2',
      finalType: '01',
      reduceState: 3,
      payState: 1,
    })
    expect(await nameOf(mine.id)).toMatchObject({ nameState: 3, ...chosen })
    const record = await t.db.selectFrom('payrecord').selectAll().where('signupId', '=', mine.id).execute()
    expect(record).toMatchObject([{ code: 'B01', unit: 'u2', payState: 1 }])
    expect((await decideMove(fresh, mine.id, 1)).code).toBe(200)
    expect((await decideMove(fresh, mine.id, 2, '不符')).code).toBe(22031)
    const acts = await t.db.selectFrom('examinelog').selectAll().where('signupId', '=', mine.id).execute()
    expect(acts).toMatchObject([{ stage: 3, result: 1 }])
  })

  it('opens a due for whoever owes one now', async () => {
    const { mine, examId } = await scene()
    const stage = await insert(t.app, Examinationitem, { examId, needPay: 1, itemStatus: 1, candidateRule: 1 })
    const times = { startTime: shanghai('2026-12-01 00:00:00'), endTime: shanghai('2026-12-20 00:00:00') }
    const fee = await insert(t.app, Exampay, { examId, itemId: stage.id, payStatus: 1, amount: 100, ...times })
    await insert(t.app, Payrecordmain, { examId, itemId: stage.id, exampayId: fee.id })
    await t.db.updateTable('examitems').set({ itemIds: stage.id }).where('examId', '=', examId).execute()
    await choose(t, mine.who, mine.id, 'B01')
    expect((await decideMove(await reviewer(t, examId, 2), mine.id, 1)).code).toBe(200)
    const record = await t.db.selectFrom('payrecord').selectAll().where('signupId', '=', mine.id).execute()
    expect(record).toMatchObject([{ payState: 0, code: 'B01', amount: 100 }])
  })

  it('lets one choose again after a refusal while there is time, else ends it', async () => {
    const { mine, other, examId } = await scene()
    const who = await reviewer(t, examId, 2)
    await choose(t, mine.who, mine.id, 'B01')
    await choose(t, other.who, other.id, 'B01')
    expect((await decideMove(who, mine.id, 2)).code).toBe(22030)
    expect((await decideMove(who, mine.id, 2, '专业不符')).code).toBe(200)
    expect((await choiceOf(t, mine.who, mine.id)).data).toMatchObject({ state: 4, canChoose: true })
    const list = await get<{ records: object[] }>(t, mine.who, 'myExamList')
    expect(list.data.records[0]).toMatchObject({ nextStep: 'CHOOSE_POST' })
    expect((await choose(t, mine.who, mine.id, 'B02')).code).toBe(200)
    await at(t, reduceTimes.end)
    for (const { id } of [mine, other]) {
      expect((await decideMove(who, id, 2, '专业不符')).code).toBe(200)
      expect((await rowOf(id)).reduceState).toBe(5)
      expect(await nameOf(id)).toMatchObject({
        nameState: 5,
        updateUser: id === mine.id ? mine.who.userId : other.who.userId,
      })
    }
  })

  it('lets one of two reviewers win', async () => {
    const { mine, examId } = await scene()
    const [a, b] = [await reviewer(t, examId, 2), await reviewer(t, examId, 2)]
    await choose(t, mine.who, mine.id, 'B01')
    const answers = await Promise.all([decideMove(a, mine.id, 1), decideMove(b, mine.id, 2, '不符')])
    expect(answers.map(one => one.code).sort()).toEqual([200, 22031])
  })
})

describe('whether one accepts being moved', () => {
  it('may be changed until choosing begins', async () => {
    await at(t, reduceTimes.computing)
    const { exam } = await makeCutExam(t)
    const { who, id } = await makePassed(t, exam.id, 'B01', { adjustAccept: 0 })
    const change = (adjustAccept: number) => post(t, who, 'changeAdjust', { id, adjustAccept })
    expect((await change(1)).code).toBe(200)
    expect((await rowOf(id)).adjustAccept).toBe(1)
    const stranger = await signIn(t, { role: 'candidate' })
    expect((await post(t, stranger, 'changeAdjust', { id, adjustAccept: 0 })).code).toBe(22010)
    await at(t, reduceTimes.start)
    expect((await change(0)).code).toBe(22008)
  })
})
