import { describe, expect, test } from 'vitest'
import { type Act, type ActFacts, actWindows, isEarly, untimely } from '../../../src/server/domain/act-windows.ts'
import { englishOf } from '../../../src/server/domain/refusal-english.ts'

const hour = (n: number) => new Date(Date.UTC(2027, 0, 1, n))

/** An exam whose moments are an hour apart, in the order in which they come. */
const exam = {
  ...{ examStatus: 1, reduceBase: 1, graceSeconds: 0 },
  ...{ signStartTime: hour(1), signEndTime: hour(2), modifyEndTime: hour(3), examineEndTime: hour(4) },
  ...{ reduceStartTime: hour(5), reduceEndTime: hour(6), payStartTime: hour(7), payEndTime: hour(8) },
}
const facts: ActFacts = { exam, stage: { itemName: '笔试', startTime: hour(10), endTime: hour(12) } }
const paid: ActFacts = { ...facts, exam: { ...exam, reduceBase: 2 } }

/** Act, the hours in which it may be done, and the refusals before and after. */
const table: [act: Act, facts: ActFacts, from: number, until: number, before: number, after: number, says?: RegExp][] =
  [
    ['signup.submit', facts, 1, 2, 22001, 22002],
    ['signup.correct', facts, 0, 3, 0, 22040],
    ['review', facts, 0, 4, 0, 22033],
    ['reduction.plan', facts, 2, 99, 29009, 0, /^报名2027-01-01 10:00:00截止/],
    ['reduction.plan', paid, 8, 99, 29009, 0, /^缴费2027-01-01 16:00:00截止/],
    ['reduction.list', facts, 0, 6, 0, 23003],
    ['reduction.choose', facts, 5, 6, 23003, 23003],
    ['seats.plan', facts, 2, 12, 29009, 29009, /^报名2027-01-01 10:00:00截止|^「笔试」已于2027-01-01 20:00:00结束/],
    ['ticket.release', facts, 0, 12, 0, 29009, /^「笔试」已于2027-01-01 20:00:00结束/],
    ['result.enter', facts, 10, 99, 29009, 0, /^「笔试」2027-01-01 18:00:00才开考/],
    ['result.release', facts, 10, 99, 29009, 0, /^「笔试」2027-01-01 18:00:00才开考/],
  ]

test('every act of the table is looked at', () => {
  expect(new Set(table.map(([act]) => act))).toEqual(new Set(Object.keys(actWindows)))
})

describe.each(table)('%s', (act, of, from, until, before, after, says) => {
  test.each(Array.from({ length: 15 }, (_, n) => n))('at hour %i, and a millisecond before', n => {
    for (const at of [hour(n), new Date(hour(n).getTime() - 1)]) {
      const expected = at < hour(from) ? before : at >= hour(until) ? after : 0
      const refusal = untimely(act, of, at)
      expect([act, n, refusal?.code ?? 0]).toEqual([act, n, expected])
      if (!refusal) continue
      if (says) expect(refusal.message).toMatch(says)
      expect(refusal.message).not.toBe('当前状态不能执行该操作')
      expect(/\p{Script=Han}/u.test(englishOf(refusal).replace('笔试', ''))).toBe(false)
      expect(englishOf(refusal)).not.toBe('Not possible in the present state')
    }
  })
})

test('the seconds of grace lengthen sign-up, and what waits for its end waits as well', () => {
  const late: ActFacts = { ...facts, exam: { ...exam, graceSeconds: 60 } }
  const at = new Date(hour(2).getTime() + 59_999)
  expect([untimely('signup.submit', late, at), untimely('seats.plan', late, at)?.code]).toEqual([null, 29009])
})

test('moments that are not set refuse nothing', () => {
  for (const act of Object.keys(actWindows) as Act[])
    expect(untimely(act, { exam: { examStatus: 1 } }, hour(1))).toBeNull()
})

test('results are early until their stage has ended', () => {
  const stage = { endTime: hour(12) }
  expect([isEarly(stage, new Date(hour(12).getTime() - 1)), isEarly(stage, hour(12))]).toEqual([true, false])
})
