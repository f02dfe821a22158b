import { expect, test } from 'vitest'
import { beyond, figures, unexplained } from '../tools/bench/figures.ts'

const known = {
  rate: { asked: 10, bound: 4, because: 'it is slow' },
  time: { asked: 30, bound: 30, isTime: true },
} as const

test('what is within its bound fails nothing, what is beyond it is named with both', () => {
  expect(beyond({ rate: 4, time: 30 }, known)).toEqual([])
  expect(beyond({ rate: 400, time: 0 }, known)).toEqual([])
  expect(beyond({ rate: 3.99, time: 30.01 }, known)).toEqual([
    'rate is 3.99: at least 4 holds, 10 is asked for',
    'time is 30.01: at most 30 holds, 30 is asked for',
  ])
})

test('what was not measured fails nothing, what could not be measured does', () => {
  expect(beyond({}, known)).toEqual([])
  expect(beyond({ rate: Number.NaN, time: Number.NaN }, known)).toHaveLength(2)
})

test('a bound that is worse than what is asked for says why', () => {
  expect(unexplained()).toEqual([])
  expect(unexplained({ rate: { asked: 10, bound: 4 }, time: { asked: 30, bound: 40, isTime: true } })).toEqual([
    'rate',
    'time',
  ])
  // A regression of a fifth fails.
  expect(beyond({ page: figures.page.bound * 0.8, signIns: figures.signIns.bound * 0.8 })).toHaveLength(2)
})
