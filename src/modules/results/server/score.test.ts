import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  at,
  makeWritten,
  marking,
  resultTimes,
  type scoreStaff,
  sitterWithAccount,
  twoStaff,
} from '../../../../tests/helper/result-bench.ts'

let t: TestApp
let staff: ReturnType<typeof scoreStaff>
const scores = '/blade-signup/score/getExamScore'

interface Score {
  id: string
  score: string
  addScore: string
  rankNo: number | ''
  totalScore: string
  isNext: number
  resultFlag: number
  canAppeal: boolean
  appeal: '' | { appealStatus: number }
}

beforeAll(async () => {
  t = await testApp({ now: marking })
  ;[staff] = await twoStaff(t)
})
beforeEach(() => at(t, marking))
afterAll(() => t.close())

/** Two candidates with the same score, one with less, one absent; released unless told otherwise. */
async function released(more: { keep?: true } = {}) {
  const made = await makeWritten(t)
  const people: Awaited<ReturnType<typeof sitterWithAccount>>[] = []
  for (let i = 0; i < 4; i++) people.push(await sitterWithAccount(t, made))
  const marks = ['88.5', '88.50', '61', ''].map((score, i) => ({
    准考证号: people[i]!.ticket.ticketNo,
    成绩: score,
    成绩标记: score ? '正常' : '缺考',
    加分: i ? null : 2,
  }))
  expect((await staff.take(made.itemId, marks)).code).toBe(200)
  if (!more.keep) await staff.act('releaseResult', made.itemId)
  const read = (i: number) => people[i]!.own.get<Score[]>(`${scores}?examId=${made.examId}`)
  return { ...made, people, read }
}

test('from resultTime on to the millisecond, and until its end', async () => {
  const { read, people } = await released()
  const [start, end] = [resultTimes.resultTime.getTime(), resultTimes.resultEndTime.getTime()]
  for (const [time, code] of [
    [start - 1000, 26001],
    [start - 1, 26001],
    [start, 200],
    [end - 1, 200],
    [end, 26001],
  ] as const) {
    await at(t, new Date(time))
    const answers = [await read(0), await people[0]!.own.get(scores)]
    expect([time - start, ...answers.map(one => one.code)]).toEqual([time - start, code, code])
  }
  expect(await read(0)).toMatchObject({ code: 26001, msg: '成绩查询已于2027-03-20 09:00:00结束', status: 400 })
})

test('is noted as seen when its candidate first looks at it, and nobody else is', async () => {
  const { read, itemId } = await released()
  const seen = async () =>
    (
      await t.db
        .selectFrom('result')
        .select(['seenTime', 'version'])
        .where('itemId', '=', itemId)
        .orderBy('id')
        .execute()
    ).map(one => [one.seenTime, one.version])
  const before = await seen()
  expect(before.map(([time]) => time)).toEqual([null, null, null, null])
  await at(t, resultTimes.resultTime)
  await read(0)
  await at(t, new Date(resultTimes.resultTime.getTime() + 60_000))
  await read(0)
  const [, ...others] = before
  expect((await seen()).toSorted((a, b) => Number(b[0] !== null) - Number(a[0] !== null))).toEqual([
    [resultTimes.resultTime, before[0]?.[1]],
    ...others,
  ])
})

test('not before it is released, not after it was recalled', async () => {
  const { read, itemId } = await released({ keep: true })
  await at(t, resultTimes.resultTime)
  expect((await read(0)).code).toBe(26001)
  await staff.act('releaseResult', itemId)
  expect((await read(0)).code).toBe(200)
  await staff.act('recallResult', itemId, { reason: '统分有误' })
  expect((await read(0)).code).toBe(26001)
})

test('everybody sees their own result: equal scores share a rank, an absent one has none', async () => {
  const { read } = await released()
  await at(t, resultTimes.resultTime)
  const own = await Promise.all([0, 1, 2, 3].map(async i => (await read(i)).data))
  expect(own.map(list => list.length)).toEqual([1, 1, 1, 1])
  const shown = own.map(([one]) => [Number(one!.score), one!.rankNo, one!.totalScore, one!.isNext, one!.resultFlag])
  expect(shown).toEqual([
    [88.5, 1, '90.5', 1, 1],
    [88.5, 1, '88.5', 1, 1],
    [61, 2, '61', 1, 1],
    [0, '', '', 0, 2],
  ])
  expect(own[3]?.[0]?.score).toBe('')
})

test('somebody else and staff have nothing here', async () => {
  const { examId } = await released()
  await at(t, resultTimes.resultTime)
  const stranger = await sitterWithAccount(t, await makeWritten(t))
  expect((await stranger.own.get(`${scores}?examId=${examId}`)).code).toBe(26001)
  expect((await staff.get(scores)).code).toBe(26001)
})

test('who was struck off sees the score, but no rank and no way on', async () => {
  const { read, people } = await released()
  await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [people[0]!.signup.id])
  await at(t, resultTimes.resultTime)
  expect((await read(0)).data[0]).toMatchObject({ score: '88.5', rankNo: '', isNext: 0 })
})
