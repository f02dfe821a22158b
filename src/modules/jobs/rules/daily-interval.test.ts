import { expect, test } from 'vitest'
import { shanghai } from '../../../../tests/helper/app.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { dailyIntervalProblem, nextDailyInterval } from './daily-interval.ts'

const morning = { interval: 30, intervalUnit: 'MINUTES', startTimeOfDay: '09:00:00', endTimeOfDay: '10:15:00' }
const weekdays = { ...morning, daysOfWeek: [1, 5] }
const unitless = { interval: 90, startTimeOfDay: '23:58:00', endTimeOfDay: '23:59:59' }

// 2026-11-21 is a Saturday.
test.each([
  [morning, '2026-11-21 00:00:00', '2026-11-21 09:00:00'],
  [morning, '2026-11-21 08:59:59', '2026-11-21 09:00:00'],
  [morning, '2026-11-21 09:00:00', '2026-11-21 09:30:00'],
  [morning, '2026-11-21 09:59:59', '2026-11-21 10:00:00'],
  [morning, '2026-11-21 10:00:00', '2026-11-22 09:00:00'],
  [weekdays, '2026-11-20 10:00:00', '2026-11-23 09:00:00'],
  [weekdays, '2026-11-23 10:10:00', '2026-11-27 09:00:00'],
  [{ ...morning, daysOfWeek: [6] }, '2026-11-21 10:10:00', '2026-11-28 09:00:00'],
  [unitless, '2026-11-21 23:58:00', '2026-11-21 23:59:30'],
  [unitless, '2026-12-31 23:59:30', '2027-01-01 23:58:00'],
])('%j after %s', (given, after, next) => {
  const expression = JSON.stringify(given)
  expect(dailyIntervalProblem(expression)).toBeNull()
  expect(wireTime(nextDailyInterval(expression, shanghai(after)))).toBe(next)
})

test.each([
  ['30', '间隔、单位'],
  ['{', '间隔、单位'],
  ['[1]', '间隔、单位'],
  [{ ...morning, extra: 1 }, '间隔、单位'],
  [{ ...morning, interval: 0 }, '正整数'],
  [{ ...morning, interval: 1.5 }, '正整数'],
  [{ ...morning, interval: '30' }, '正整数'],
  [{ ...morning, intervalUnit: 'DAYS' }, '单位'],
  [{ ...morning, intervalUnit: 'constructor' }, '单位'],
  [{ ...morning, interval: 24, intervalUnit: 'HOURS' }, '24小时'],
  [{ ...morning, startTimeOfDay: '9:00' }, '时:分:秒'],
  [{ ...morning, endTimeOfDay: '24:00:00' }, '时:分:秒'],
  [{ ...morning, endTimeOfDay: '08:00:00' }, '晚于'],
  [{ ...morning, daysOfWeek: [] }, '星期'],
  [{ ...morning, daysOfWeek: [0] }, '星期'],
  [{ ...morning, daysOfWeek: 1 }, '星期'],
])('%j is wrong', (given, words) => {
  const expression = typeof given === 'string' ? given : JSON.stringify(given)
  expect(dailyIntervalProblem(expression)).toContain(words)
  expect(nextDailyInterval(expression, new Date())).toBeNull()
})
