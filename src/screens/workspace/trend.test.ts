import { expect, test } from 'vitest'
import { dayByDay } from './trend.ts'

test('days without any stand between the first and the last, and the latest thirty are told', () => {
  expect(dayByDay([])).toEqual([])
  expect(
    dayByDay([
      { day: '2026-02-27', count: 3 },
      { day: '2026-03-01', count: 1 },
    ]),
  ).toEqual([
    { day: '2026-02-27', count: 3 },
    { day: '2026-02-28', count: 0 },
    { day: '2026-03-01', count: 1 },
  ])
  const long = dayByDay([
    { day: '2026-01-01', count: 1 },
    { day: '2026-12-31', count: 2 },
  ])
  expect([long.length, long[0]?.day, long.at(-1)]).toEqual([30, '2026-12-02', { day: '2026-12-31', count: 2 }])
})
