import { describe, expect, it } from 'vitest'
import { type ExamStanding, nextDeadline, noticeOf, phasesOf, stagesOf, windowState } from './exam-phase.ts'

const start = new Date('2026-12-31T16:00:00Z')
const end = new Date('2027-01-05T16:00:00Z')
const ms = (date: Date, offset: number) => new Date(date.getTime() + offset)

describe('windowState', () => {
  it.each([
    ['one millisecond before the start', ms(start, -1), 0, 'before'],
    ['at the start', start, 0, 'open'],
    ['one millisecond before the end', ms(end, -1), 0, 'open'],
    ['at the end', end, 0, 'closed'],
    ['at the end with grace', end, 60, 'open'],
    ['at the last millisecond of grace', ms(end, 59_999), 60, 'open'],
    ['when grace is over', ms(end, 60_000), 60, 'closed'],
  ])('%s', (_name, now, grace, expected) => {
    expect(windowState(start, end, now, grace)).toBe(expected)
  })

  it('is unset without both ends, and open-ended without one', () => {
    expect(windowState(null, null, start)).toBe('unset')
    expect(windowState(null, end, start)).toBe('open')
    expect(windowState(start, null, end)).toBe('open')
    expect(windowState(start, null, ms(start, -1))).toBe('before')
  })
})

const day = (n: number) => new Date(Date.UTC(2026, 2, n))
const exam: ExamStanding = {
  examStatus: 1,
  allowAdjust: 1,
  needPay: 1,
  graceSeconds: 60,
  signStartTime: day(1),
  signEndTime: day(5),
  modifyEndTime: day(6),
  examineEndTime: day(7),
  reduceStartTime: day(8),
  reduceEndTime: day(10),
  payStartTime: day(9),
  payEndTime: day(12),
  ticketStartTime: day(14),
  ticketEndTime: day(16),
  examStartTime: day(16),
  examEndTime: day(17),
  resultTime: day(20),
  resultEndTime: day(25),
  publicityStart: day(21),
  publicityEnd: day(28),
  lists: [{ start: day(22), end: day(30) }],
}

describe('phasesOf', () => {
  it.each([
    [ms(day(1), -1), ['未开始报名']],
    [day(1), ['报名中', '审核中']],
    [ms(day(5), 59_999), ['报名中', '审核中']],
    [ms(day(5), 60_000), ['审核中']],
    [day(7), ['待考']],
    [day(9), ['改报中', '缴费中', '待考']],
    [day(14), ['待考', '准考证下载中']],
    [day(16), ['考试中']],
    [day(18), ['待公布成绩']],
    [day(20), ['成绩公布']],
    [day(23), ['成绩公布', '公示中']],
    [day(26), ['公示中']],
    [day(30), ['已结束']],
  ])('%o', (now, expected) => {
    expect(phasesOf(exam, now)).toEqual(expected)
  })

  it('asks the state first', () => {
    expect(phasesOf({ ...exam, examStatus: 0 }, day(2))).toEqual([])
    expect(phasesOf({ ...exam, examStatus: 2 }, day(2))).toEqual(['已关闭'])
    expect(phasesOf({ ...exam, examStatus: 3 }, day(2))).toEqual(['已结束'])
  })

  it('leaves out what the exam does not do', () => {
    expect(phasesOf({ ...exam, allowAdjust: 0, needPay: 0 }, day(9))).toEqual(['待考'])
  })
})

describe('nextDeadline', () => {
  it('is the opening, then the nearest end, then nothing', () => {
    expect(nextDeadline(exam, ms(day(1), -1))).toEqual({ field: 'signStartTime', label: '报名开始', at: day(1) })
    expect(nextDeadline(exam, day(1))?.label).toBe('报名截止')
    expect(nextDeadline(exam, day(9))?.label).toBe('改报截止')
    expect(nextDeadline(exam, day(10))?.label).toBe('缴费截止')
    expect(nextDeadline(exam, day(30))).toBeNull()
    expect(nextDeadline({ ...exam, examStatus: 2 }, day(2))).toBeNull()
  })
})

describe('the public notice', () => {
  const planned = { ...exam, lists: [] }
  const noticeStage = (of: ExamStanding, now: Date) => stagesOf(of, now).find(one => one.phase === '公示中')

  it('is of lists, not of the times that are planned', () => {
    expect(phasesOf(planned, day(23))).toEqual(['成绩公布'])
    expect(phasesOf(planned, day(26))).toEqual(['已结束'])
    expect(nextDeadline(planned, day(26))).toBeNull()
    expect(noticeStage(planned, day(26))).toMatchObject({
      start: day(21),
      state: 'before',
      fields: ['publicityStart', 'publicityEnd'],
    })
    expect(noticeStage(exam, day(26))).toMatchObject({ start: day(22), end: day(30), state: 'open', fields: [] })
  })

  it('is that of the list that ends next, and one of before the exam leaves what is planned as it is', () => {
    const lists = [
      { start: day(8), end: day(10) },
      { start: day(22), end: day(30) },
      { start: day(23), end: day(27) },
    ]
    const of = { ...exam, lists }
    expect(phasesOf(of, day(9))).toContain('公示中')
    expect(phasesOf(of, day(10))).not.toContain('公示中')
    expect(nextDeadline(of, day(26))).toEqual({ field: 'publicityEnd', label: '公示结束', at: day(27) })
    expect(nextDeadline(of, day(28))?.at).toEqual(day(30))
    expect(noticeOf({ ...of, lists: lists.slice(0, 1) }, day(12))).toMatchObject({ start: day(21), planned: true })
    expect(noticeOf(of, day(12))).toMatchObject({ start: day(22), planned: false })
    expect(noticeOf({ ...of, publicityStart: null, lists: lists.slice(0, 1) }, day(12))).toMatchObject({ end: day(10) })
  })
})
