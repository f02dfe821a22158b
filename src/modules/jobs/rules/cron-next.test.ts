import { describe, expect, test } from 'vitest'
import { shanghai } from '../../../../tests/helper/app.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { nextCron } from './cron-next.ts'
import { isNeverAgain, nextTimeOf, nextTimes } from './job-time.ts'

// 2026-11-21 is a Saturday.
test.each([
  ['0 0 2 * * ?', '2026-11-21 01:59:59', '2026-11-21 02:00:00'],
  ['0 0 2 * * ?', '2026-11-21 02:00:00', '2026-11-22 02:00:00'],
  ['*/20 * * * * ?', '2026-11-21 23:59:45', '2026-11-22 00:00:00'],
  ['0 5/15 8-10 * * ?', '2026-11-21 08:50:00', '2026-11-21 09:05:00'],
  ['30 10,40 23 31 12 ?', '2026-12-31 23:10:30', '2026-12-31 23:40:30'],
  ['0 0 0 29 2 ?', '2026-11-21 00:00:00', '2028-02-29 00:00:00'],
  ['0 0 9 ? * MON-FRI', '2026-11-20 09:00:00', '2026-11-23 09:00:00'],
  ['0 0 9 ? * 1', '2026-11-21 12:00:00', '2026-11-22 09:00:00'],
  ['0 0 9 ? * L', '2026-11-20 12:00:00', '2026-11-21 09:00:00'],
  ['0 0 9 ? * 6L', '2026-11-21 12:00:00', '2026-11-27 09:00:00'],
  ['0 0 9 ? * TUE#3', '2026-11-21 12:00:00', '2026-12-15 09:00:00'],
  ['0 0 9 L * ?', '2026-11-21 12:00:00', '2026-11-30 09:00:00'],
  ['0 0 9 L-2 * ?', '2026-11-28 12:00:00', '2026-12-29 09:00:00'],
  ['0 0 9 LW * ?', '2027-01-01 00:00:00', '2027-01-29 09:00:00'],
  ['0 0 9 15W * ?', '2026-11-01 00:00:00', '2026-11-16 09:00:00'],
  ['0 0 9 1W 8 ?', '2026-11-01 00:00:00', '2027-08-02 09:00:00'],
  ['0 0 9 1W 5 ?', '2026-11-01 00:00:00', '2027-05-03 09:00:00'],
  ['0 0 9 1 JAN ? 2030-2031', '2026-11-01 00:00:00', '2030-01-01 09:00:00'],
  ['0 0 9 1 1 ? 2026', '2026-11-01 00:00:00', ''],
  ['0 0 9 30 2 ?', '2026-11-01 00:00:00', ''],
])('%s after %s', (expression, after, next) => {
  expect(wireTime(nextCron(expression, shanghai(after)))).toBe(next)
})

describe('when a job runs next', () => {
  const now = shanghai('2026-11-21 12:00:00')
  const job = (timeExpressionType: number, timeExpression: string | null, more: object = {}) => ({
    enable: 1,
    executeType: 1,
    processorType: 1,
    timeExpressionType,
    timeExpression,
    lifecycle: null,
    ...more,
  })
  const next = (of: ReturnType<typeof job>, last: string | null = null) =>
    wireTime(nextTimeOf(of, last ? shanghai(last) : null, now))

  test('at a fixed rate on from the last time; what was missed is not made up for', () => {
    expect(next(job(3, '60000'), '2026-11-21 11:59:30')).toBe('2026-11-21 12:00:30')
    expect(next(job(3, '60000'), '2026-11-21 10:00:30')).toBe('2026-11-21 12:00:30')
    expect(next(job(3, '60000'))).toBe('2026-11-21 12:01:00')
  })

  test('with a fixed delay from now on', () => {
    expect(next(job(4, '60000'), '2026-11-21 10:00:30')).toBe('2026-11-21 12:01:00')
  })

  test('never when it is called from outside, or switched off, or wants a program that is loaded for it', () => {
    const off = [{ enable: 0 }, { processorType: 4 }].map(more => job(2, '0 0 2 * * ?', more))
    expect([job(1, null), job(5, null), ...off].map(one => next(one))).toEqual(['', '', '', ''])
  })

  test('daily at equal distances', () => {
    const daily = { interval: 4, intervalUnit: 'HOURS', startTimeOfDay: '08:00:00', endTimeOfDay: '18:00:00' }
    expect(next(job(11, JSON.stringify(daily)))).toBe('2026-11-21 16:00:00')
  })

  test('five times to come, or as many as there are', () => {
    const times = (type: number, expression: string) => nextTimes(type, expression, now, 5).map(wireTime)
    expect(times(3, '90000')).toEqual(['01:30', '03:00', '04:30', '06:00', '07:30'].map(at => `2026-11-21 12:${at}`))
    expect(times(2, '0 0 9 29 2 ? 2027-2036')).toEqual([
      '2028-02-29 09:00:00',
      '2032-02-29 09:00:00',
      '2036-02-29 09:00:00',
    ])
    expect(times(2, '0 0 2 30 2 ?')).toEqual([])
  })

  test('never again, whether it is switched on or not', () => {
    const over = { enable: 0, lifecycle: ['2026-11-01 00:00:00', '2026-11-21 12:30:00'] }
    const never = [job(2, '0 0 2 30 2 ?'), job(2, '0 0 2 * * ? 2000'), job(2, '0 0 2 * * ?', over)]
    expect(never.map(one => isNeverAgain(one, now))).toEqual([true, true, true])
    const again = [job(1, null), job(2, '0 0 2 * * ?', { enable: 0 }), job(3, '60000')]
    expect(again.map(one => isNeverAgain(one, now))).toEqual([false, false, false])
  })

  test('not before it lives and not after', () => {
    const from = (begin: string, end: string) => ({ lifecycle: [begin, end] })
    const later = from('2026-12-01 00:00:00', '2026-12-31 00:00:00')
    expect(next(job(2, '0 0 0 * * ?', later))).toBe('2026-12-01 00:00:00')
    expect(next(job(3, '60000', later), '2026-11-21 11:59:30')).toBe('2026-12-01 00:00:00')
    expect(next(job(2, '0 0 2 * * ?', from('2026-11-01 00:00:00', '2026-11-21 23:00:00')))).toBe('')
  })
})
