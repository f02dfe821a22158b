import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ActFacts,
  type ActWindow,
  type ActWindows,
  isEarly,
  untimely,
} from '../../src/modules/exams/rules/act-windows.ts'
import { englishOf } from '../../src/platform/http/server/refusal-english.ts'
import { timeChecks } from '../helper/time-checks.ts'
import { filesBelow } from '../helper/tree.ts'

const root = new URL('../..', import.meta.url).pathname
const tables = filesBelow('src/modules').filter(file => file.endsWith('/rules/act-windows.ts'))

/** The acts of all modules with their windows, named `exam.release`. */
const windows = new Map<string, ActWindow>()
for (const file of tables)
  for (const [name, table] of Object.entries((await import(join(root, file))) as Record<string, ActWindows>))
    if (name.endsWith('Windows'))
      for (const [act, window] of Object.entries(table)) windows.set(`${name.slice(0, -7)}.${act}`, window)

/** Why an act is too early or too late, by the name of the act. */
const refusalOf = (act: string, facts: ActFacts, now: Date) => untimely(windows.get(act) as ActWindow, facts, now)

const hour = (n: number) => new Date(Date.UTC(2027, 0, 1, n))

/** An exam whose moments are an hour apart, in the order in which they come. */
const exam = {
  examStatus: 1,
  reduceBase: 1,
  graceSeconds: 0,
  signStartTime: hour(1),
  signEndTime: hour(2),
  modifyEndTime: hour(3),
  examineEndTime: hour(4),
  reduceStartTime: hour(5),
  reduceEndTime: hour(6),
  payStartTime: hour(7),
  payEndTime: hour(8),
  ticketStartTime: hour(9),
  ticketEndTime: hour(13),
  resultTime: hour(14),
  resultEndTime: hour(16),
  appealEndTime: hour(15),
  publicityEnd: hour(17),
}
const stage = { itemName: '笔试', startTime: hour(10), endTime: hour(12), confirmEnd: hour(15) }
const facts: ActFacts = { exam, stage }
const ownFee: ActFacts = { ...facts, fee: { startTime: hour(9), endTime: hour(10) } }
const tomorrow: ActFacts = { exam, stage: { itemName: '笔试', startTime: hour(30), endTime: hour(30) } }
const yesterday: ActFacts = { exam, stage: { itemName: '笔试', startTime: hour(-24), endTime: hour(-16) } }
const paid: ActFacts = { ...facts, exam: { ...exam, reduceBase: 2 } }

/** Act, the hours in which it may be done, and the refusals before and after. */
const table: [
  act: string,
  facts: ActFacts,
  from: number,
  until: number,
  before: number,
  after: number,
  says?: RegExp,
][] = [
  ['signup.submit', facts, 1, 2, 22001, 22002],
  ['exam.release', facts, 0, 2, 0, 21006, /报名结束时间已过/],
  ['exam.archive', facts, 17, 99, 29009, 0, /^公示2027-01-02 01:00:00结束/],
  ['signup.withdraw', facts, 0, 2, 0, 22009, /^报名已于2027-01-01 10:00:00截止，不能再撤回/],
  ['signup.correct', facts, 0, 3, 0, 22040, /^补正已于2027-01-01 11:00:00截止/],
  ['signup.adjust', facts, 0, 5, 0, 22008],
  ['review.decide', facts, 0, 4, 0, 22033, /^审核已于2027-01-01 12:00:00截止/],
  ['reduction.confirm', facts, 0, 6, 0, 21006],
  ['payment.release', facts, 0, 8, 0, 29005, /缴费结束时间已过/],
  ['payment.reopen', facts, 0, 8, 0, 24002, /^缴费已于2027-01-01 16:00:00截止，请先延长/],
  ['payment.pay', facts, 7, 8, 24002, 24002, /^缴费2027-01-01 15:00:00开始|^缴费已于2027-01-01 16:00:00截止/],
  ['payment.pay', ownFee, 9, 10, 24002, 24002, /^缴费2027-01-01 17:00:00开始|^缴费已于2027-01-01 18:00:00截止/],
  [
    'ticket.download',
    facts,
    9,
    13,
    25001,
    25001,
    /^准考证2027-01-01 17:00:00开始下载|^准考证下载已于2027-01-01 21:00:00结束/,
  ],
  ['ticket.remind', facts, 0, 13, 0, 25001, /^准考证下载已于2027-01-01 21:00:00结束/],
  ['ticket.checkIn', tomorrow, 6, 99, 25012, 0, /2027-01-01 14:00 – 2027-01-03 14:00/],
  ['ticket.checkIn', yesterday, 0, 8, 0, 25012, /2026-12-30 08:00 – 2027-01-01 16:00/],
  ['ticket.rehearse', tomorrow, 0, 6, 0, 25013, /2027-01-01 14:00/],
  ['reduction.plan', facts, 2, 99, 29009, 0, /^报名2027-01-01 10:00:00截止/],
  ['reduction.plan', paid, 8, 99, 29009, 0, /^缴费2027-01-01 16:00:00截止/],
  ['reduction.list', facts, 0, 6, 0, 23003, /^改报已于2027-01-01 14:00:00截止/],
  ['reduction.choose', facts, 5, 6, 23003, 23003, /^改报2027-01-01 13:00:00开始|^改报已于2027-01-01 14:00:00截止/],
  ['ticket.planSeats', facts, 2, 12, 29009, 29009, /^报名2027-01-01 10:00:00截止|^「笔试」已于2027-01-01 20:00:00结束/],
  ['ticket.release', facts, 0, 12, 0, 29009, /^「笔试」已于2027-01-01 20:00:00结束/],
  ['result.enter', facts, 10, 99, 29009, 0, /^「笔试」2027-01-01 18:00:00才开考/],
  ['result.release', facts, 10, 99, 29009, 0, /^「笔试」2027-01-01 18:00:00才开考/],
  ['result.view', facts, 14, 16, 26001, 26001, /^成绩2027-01-01 22:00:00公布|^成绩查询已于2027-01-02 00:00:00结束/],
  ['result.confirm', facts, 0, 15, 0, 26009, /2027-01-01 23:00:00/],
  ['result.appeal', facts, 0, 15, 0, 26004, /^复核申请已于2027-01-01 23:00:00截止/],
]

test('every act of the table is looked at', () => {
  expect(new Set(table.map(([act]) => act))).toEqual(new Set(windows.keys()))
})

describe.each(table)('%s', (act, of, from, until, before, after, says) => {
  test.each(Array.from({ length: 19 }, (_, n) => n))('at hour %i, and a millisecond before', n => {
    for (const at of [hour(n), new Date(hour(n).getTime() - 1)]) {
      const expected = at < hour(from) ? before : at >= hour(until) ? after : 0
      const refusal = refusalOf(act, of, at)
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
  expect([refusalOf('signup.submit', late, at), refusalOf('ticket.planSeats', late, at)?.code]).toEqual([null, 29009])
})

test('moments that are not set refuse nothing, but where somebody has to plan them', () => {
  const refused = [...windows.keys()].filter(act => refusalOf(act, { exam: {} }, hour(1)))
  expect(refused).toEqual(['reduction.list', 'reduction.choose', 'result.confirm', 'result.appeal'])
})

test('results are early until their stage has ended', () => {
  const stage = { endTime: hour(12) }
  expect([isEarly(stage, new Date(hour(12).getTime() - 1)), isEarly(stage, hour(12))]).toEqual([true, false])
})

/** Files that compare such times with the present beside the table, and why. */
const others: Readonly<Record<string, string>> = {
  'src/modules/exams/rules/act-windows.ts': 'the table itself: whether results are early',
  'src/modules/tickets/server/next-step.ts': 'a ticket of a stage that is over is nothing to do next',
  'src/modules/payment/server/fee-windows.ts': 'a job: closes what is unpaid when its time is over, in one statement',
  'src/modules/reduction/server/expire-choices.ts':
    'a job: closes what was not chosen when its time is over, in one statement',
  'src/modules/tickets/server/stage.ts':
    'who may still correct or pay before seats are drawn, among the sign-ups of many exams in one statement',
  'src/modules/tickets/server/purge.ts': 'a job: how long uploads are kept after a stage',
  'src/modules/reduction/server/position-counts.ts': 'positions that nobody reviews, while that can be done',
  'src/modules/results/server/vacancies.ts': 'places that can still be filled, of which a to-do tells',
  'src/modules/results/server/vacancy.ts': 'places are filled until the next stage that ranks begins',
  'src/modules/tickets/server/check-in/rooms.ts': 'rooms of today, of which a to-do tells',
  'src/modules/privacy/server/expiry.ts': 'forms that were never handed in, long after that could be done',
  'src/modules/tickets/pages/check-in/CheckInPage.tsx':
    'moments that the server took from the table: the page changes over at them',
  'src/modules/exams/server/archive.ts': 'lists that are on public notice now hinder an archive',
  'src/modules/publicity/server/html/list-pages.ts': 'the time left of a public notice',
  'src/modules/publicity/server/period.ts': 'the time of a public notice',
  'src/modules/publicity/server/public-list.ts': 'the time of a public notice',
  'src/modules/publicity/server/release.ts': 'the time of a public notice',
  'src/modules/exams/server/unready.ts': 'exams that should have something ready by now, in one statement each',
  'src/modules/privacy/server/copy.ts': 'until when a copy of own data can be fetched',
  'src/platform/channels/sms/accounts.ts': 'until when an account that fails is left alone',
  'src/platform/channels/sms/real-sms.ts': 'until when an account that fails is left alone',
  'src/modules/exams/server/appointment.ts': 'the time of an appointment',
  'src/modules/jobs/server/alarm.ts': 'the window in which failed runs of a job are counted',
  'src/modules/exams/rules/exam-staff.ts': 'the time of an appointment',
  'src/modules/exams/server/copy.ts': 'the time of an appointment',
  'src/modules/exams/server/routes/staff.ts': 'the time of an appointment',
  'src/modules/notices/server/audience.ts': 'the time of a notice',
  'src/modules/tickets/server/download-rules.ts': 'the time of a notice',
  'src/platform/attachments/server/arrival.ts': 'the time of an upload',
  'src/modules/exams/pages/new-exam/TimesStep.tsx':
    'a sign-up of a new exam that would have begun already is pointed out',
  'src/demo/payments.ts': 'the demonstration tells what has happened so far',
  'src/demo/story-money.ts': 'the demonstration tells what has happened so far',
}

test('no other file compares times of an exam with the present', () => {
  const files = filesBelow('src').filter(file => /(?<!\.test)\.tsx?$/.test(file))
  const found = files.flatMap(file => timeChecks(file, readFileSync(join(root, file), 'utf8')))
  expect(new Set(found.map(one => one.split(':')[0]))).toEqual(new Set(Object.keys(others)))
  const asked = files.filter(file =>
    /import \{[^}]*\bwindowState\b[^}]*\} from/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(asked).toEqual(['src/modules/exams/rules/act-windows.ts'])
})
