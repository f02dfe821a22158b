import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EnableStatus, ItemRange } from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Result } from '#schemas/results/result'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { at, eventsOf, scoreStaff, shortlisted, twoStaff } from '../../../../tests/helper/result-bench.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { remindDue } from '../../notifications/server/remind.ts'
import { missDuePlaces } from './shortlist.ts'

let t: TestApp
let staff: ReturnType<typeof scoreStaff>
let second: ReturnType<typeof scoreStaff>
/** The written test is over and the interview is to come. */
const now = '2027-01-11 09:00:00'
const until = '2027-01-13 09:00:00'
const base = '/blade-result/promotion'

beforeAll(async () => {
  t = await testApp({ now })
  ;[staff, second] = await twoStaff(t)
})
beforeEach(() => at(t, now))
afterAll(() => t.close())

type List = Awaited<ReturnType<typeof shortlisted>>
interface Preview {
  places: number
  held: number
  free: number
  left: { name: string; cause: string }[]
  next: { signupId: string; name: string; score: string }[]
}

const strike = (list: List, i: number) =>
  t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [list.people[i]!.signup.id])
const previewOf = ({ itemId }: List, who = staff) => who.get<Preview>(`${base}/preview?itemId=${itemId}&code=A01`)
const ask = ({ itemId, people }: List, who: readonly number[], more: object = {}, as = staff) =>
  as.post<{ id: string; num: number }>(`${base}/ask`, {
    itemId,
    code: 'A01',
    reason: '前一名放弃',
    until,
    signupIds: who.map(i => people[i]!.signup.id),
    ...more,
  })
const confirm = (id: string, as = second) => as.post(`${base}/confirm?id=${id}`, {})
const promotionsOf = ({ itemId }: List) =>
  t.db.selectFrom('promotion').selectAll().where('itemId', '=', itemId).execute()
const vacanciesOf = async ({ examId }: List, as = staff) =>
  (
    await as.get<{ total: number; records: { held: number; places: number; waiting: number }[] }>(
      `${base}/vacancies?examId=${examId}`,
    )
  ).data

describe('a place that somebody left', () => {
  test('goes to the next in rank when two people want it, who is told and has a time to confirm of the own', async () => {
    const list = await shortlisted(t, staff, [90, 80, 70, 65, 62, 50])
    expect((await previewOf(list)).code).toBe(26011)
    expect(await vacanciesOf(list)).toMatchObject({ total: 0 })
    await strike(list, 1)
    expect(await vacanciesOf(list)).toMatchObject({ total: 1, records: [{ held: 2, places: 3, waiting: 2 }] })
    const { data } = await previewOf(list)
    expect(data).toMatchObject({ places: 3, held: 2, free: 1, left: [{ cause: 'struck' }] })
    expect(data.next.map(one => [one.signupId, one.score])).toEqual([[list.people[3]!.signup.id, '65']])
    expect((await ask(list, [4])).code).toBe(26012)
    const made = await ask(list, [3])
    expect(made).toMatchObject({ code: 200, data: { num: 1 } })
    expect((await ask(list, [3])).data).toEqual(made.data)
    expect((await ask(list, [3], { reason: '另一原因' })).code).toBe(26013)
    expect((await ask(list, [3], {}, second)).code).toBe(26013)
    expect(await vacanciesOf(list)).toMatchObject({ total: 0 })
    expect(await list.stored()).toEqual(['10', '10', '10', '00', '00', '00'])
    expect((await confirm(made.data.id, staff)).code).toBe(24018)
    expect((await confirm(made.data.id)).code).toBe(200)
    expect((await confirm(made.data.id)).code).toBe(200)
    expect(await list.stored()).toEqual(['10', '10', '10', '10', '00', '00'])
    const { signup, own } = list.people[3]!
    expect(await eventsOf(t, signup.id)).toEqual(['signup.notShortlisted', 'signup.promoted'])
    const [event] = await t.db
      .selectFrom('event')
      .selectAll()
      .where('code', '=', 'signup.promoted')
      .where('subjectId', '=', signup.id)
      .execute()
    expect(event?.facts).toMatchObject({ item: '笔试', until: shanghai(until).toISOString() })
    interface Mine {
      records: { nextStep: string; deadline: string; steps: { label: string }[] }[]
    }
    // Results can be looked at from January on in this exam.
    await t.pool.query('UPDATE examination SET "resultTime" = NULL WHERE id = $1', [list.examId])
    const [mine] = (await own.get<Mine>('/blade-signup/signup/myExamList')).data.records
    expect(mine).toMatchObject({ nextStep: 'CONFIRM', deadline: until })
    expect(mine?.steps.at(-1)?.label).toBe('递补入围')
    const [score] = (await own.get<object[]>('/blade-signup/score/getExamScore')).data
    expect(score).toMatchObject({ isPromoted: true, canConfirm: true, confirmEnd: until })
    await at(t, '2027-01-12 10:00:00')
    await remindDue(t.app)
    expect(await eventsOf(t, signup.id)).toContain('signup.confirmationEnds')
    // Nobody else was asked to confirm.
    expect(await eventsOf(t, list.people[0]!.signup.id)).toEqual(['signup.shortlisted'])
    expect((await list.answer(3, true)).code).toBe(200)
    expect(await list.stored()).toEqual(['10', '10', '10', '11', '00', '00'])
  })

  test('goes on when it is declined, or not confirmed in time, never to whoever had it, and to nobody below the line', async () => {
    const list = await shortlisted(t, staff, [90, 80, 70, 65, 62, 50], { stage: { confirmEndTime: shanghai(until) } })
    await list.answer(0, true)
    await list.answer(1, false)
    const first = await ask(list, [3])
    await confirm(first.data.id)
    await list.answer(2, true)
    await at(t, until)
    await missDuePlaces(t.app)
    expect(await list.stored()).toEqual(['11', '02', '11', '03', '00', '00'])
    expect((await previewOf(list)).data.left.map(one => one.cause)).toEqual(['declined', 'missed'])
    const later = '2027-01-15 08:00:00'
    const again = await ask(list, [4], { until: later })
    expect((await confirm(again.data.id)).code).toBe(200)
    await list.answer(4, false)
    expect(await list.stored()).toEqual(['11', '02', '11', '03', '02', '00'])
    expect((await previewOf(list)).code).toBe(26011)
    expect(await vacanciesOf(list)).toMatchObject({ total: 0 })
  })

  test('goes to all who equal one another; one who equalled the last is no gap', async () => {
    const list = await shortlisted(t, staff, [90, 80, 70, 70, 65, 65, 62])
    await strike(list, 3)
    expect((await previewOf(list)).code).toBe(26011)
    await strike(list, 2)
    const { data } = await previewOf(list)
    expect(data).toMatchObject({ free: 1 })
    expect(data.next.map(one => one.signupId).sort()).toEqual([4, 5].map(i => list.people[i]!.signup.id).sort())
    const made = await ask(list, [4, 5])
    expect(made.data.num).toBe(2)
    await confirm(made.data.id)
    expect(await list.stored()).toEqual(['10', '10', '10', '10', '10', '10', '00'])
    expect(await vacanciesOf(list)).toMatchObject({ total: 0 })
  })

  test('is left by whoever is absent from the re-review, until the interview has begun', async () => {
    const list = await shortlisted(t, staff, [90, 80, 70, 65])
    const check = await insert(t.app, Examinationitem, {
      examId: list.examId,
      itemName: '资格复审',
      itemType: '4',
      itemStatus: EnableStatus.enabled,
      candidateRule: ItemRange.shortlisted,
      startTime: shanghai('2027-01-10 09:00:00'),
      endTime: shanghai('2027-01-10 17:00:00'),
      resultRelease: 1,
    })
    const checked = (i: number, more: object) =>
      insert(t.app, Result, {
        examId: list.examId,
        itemId: check.id,
        signupId: list.people[i]!.signup.id,
        code: 'A01',
        resultStatus: 1,
        isNext: 0,
        confirmStatus: 0,
        ...more,
      })
    await checked(0, { resultFlag: 1, score: '100', isPass: 1 })
    await checked(1, { resultFlag: 2, score: null, isPass: 0 })
    expect((await previewOf(list)).data).toMatchObject({ free: 1, left: [{ cause: 'failed' }] })
    expect(await vacanciesOf(list)).toMatchObject({ total: 1, records: [{ held: 2, waiting: 1 }] })
    const made = await ask(list, [3])
    await t.pool.query('UPDATE examinationitem SET "seatStatus" = 2 WHERE id = $1', [list.interview.id])
    expect((await confirm(made.data.id)).code).toBe(25008)
    await t.pool.query('UPDATE examinationitem SET "seatStatus" = 0, "startTime" = $2 WHERE id = $1', [
      list.interview.id,
      shanghai(now),
    ])
    expect(await confirm(made.data.id)).toMatchObject({ code: 26014, msg: '「面试」已开始，不能再递补' })
    expect((await previewOf(list)).code).toBe(26014)
  })
})

describe('two people at once', () => {
  test('ask for one place: one of them has asked, and one person moves up', async () => {
    for (let round = 0; round < 4; round++) {
      const list = await shortlisted(t, staff, [90, 80, 70, 65, 62])
      await strike(list, 0)
      const answers = await Promise.all([ask(list, [3]), ask(list, [3], { reason: '其他' }, second)])
      expect(answers.map(one => one.code).sort()).toEqual([200, 26013])
      expect(await promotionsOf(list)).toHaveLength(1)
    }
  })

  test('confirm one promotion: one person moves up once and is told once', async () => {
    const list = await shortlisted(t, staff, [90, 80, 70, 65, 62])
    await strike(list, 0)
    const { data } = await ask(list, [3])
    const third = scoreStaff(t, await signIn(t, { role: 'administrator' }))
    const answers = await Promise.all([confirm(data.id), confirm(data.id, third), confirm(data.id)])
    expect(answers.filter(one => one.code === 200).length).toBeGreaterThan(0)
    expect(await list.stored()).toEqual(['10', '10', '10', '10', '00'])
    expect((await eventsOf(t, list.people[3]!.signup.id)).filter(code => code === 'signup.promoted')).toHaveLength(1)
  })
})

test('what has changed since it was asked for is not confirmed; dropped, it can be asked for anew', async () => {
  const list = await shortlisted(t, staff, [90, 80, 70, 65, 62])
  await strike(list, 0)
  const { data } = await ask(list, [3])
  await strike(list, 3)
  expect((await confirm(data.id)).code).toBe(26012)
  expect((await staff.post(`${base}/drop?id=${data.id}`, { reason: '' })).code).toBe(29005)
  expect((await staff.post(`${base}/drop?id=${data.id}`, { reason: '人选已变' })).code).toBe(200)
  expect(await promotionsOf(list)).toMatchObject([{ promotionStatus: 2, dropReason: '人选已变' }])
  const again = await ask(list, [4])
  await at(t, until)
  expect((await confirm(again.data.id)).msg).toMatch(/确认截止已过/)
  await at(t, now)
  expect((await confirm(again.data.id)).code).toBe(200)
  expect(await list.stored()).toEqual(['10', '10', '10', '00', '10'])
})

test('it needs a reason, a time to come, and the duty of the exam', async () => {
  const list = await shortlisted(t, staff, [90, 80, 70, 65])
  await strike(list, 0)
  expect((await ask(list, [3], { reason: ' ' })).code).toBe(29005)
  expect((await ask(list, [3], { until: now })).code).toBe(29005)
  const officer = scoreStaff(t, await signIn(t, { role: 'exam_admin' }))
  expect((await ask(list, [3], {}, officer)).code).toBe(29001)
  expect(await vacanciesOf(list, officer)).toMatchObject({ total: 0 })
  await appoint(t, list.examId, officer.who)
  expect(await vacanciesOf(list, officer)).toMatchObject({ total: 1 })
  interface Todo {
    code: string
    num: number
    opens: string
  }
  const { data } = await officer.get<{ todo: Todo[] }>('/blade-desk/home/staff')
  expect(data.todo.find(one => one.code === 'vacancy')).toMatchObject({ num: 1, opens: '/result/vacancy' })
  for (const role of ['reviewer', 'candidate']) {
    const who = scoreStaff(t, await signIn(t, { role }))
    expect((await ask(list, [3], {}, who)).code).toBe(403)
  }
})
