import { expect, test } from 'vitest'
import { dueSteps, nextStep, stepNow } from './due.ts'

const at = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)
const night = { from: '22:00', until: '08:00' }
const around = (text: string) => ({ now: at(text), quiet: night })
const ending = (end: string, from: string | null = null) => ({
  end: at(end),
  until: at(end),
  from: from === null ? null : at(from),
})

test.each([
  ['by day, when it is counted back', '2026-12-05 17:00', [24, 3], ['2026-12-04 17:00', '2026-12-05 14:00']],
  ['what is due at night, in the morning', '2026-12-05 10:00', [3], ['2026-12-05 08:00']],
  ['what cannot wait for the morning, in the evening', '2026-12-05 08:30', [3], ['2026-12-04 21:30']],
  ['at the turn of the year', '2027-01-01 08:30', [3], ['2026-12-31 21:30']],
  ['a step that another one overtakes is left out', '2026-12-05 08:30', [3, 2], ['2026-12-04 21:30']],
])('people are reminded: %s', (_, end, steps, due) => {
  expect(dueSteps(ending(end), steps, night).map(one => one.at)).toEqual(due.map(at))
})

test('of two steps that were missed the nearest one is due, until the end', () => {
  const countdown = ending('2026-12-05 17:00')
  const now = (text: string) => stepNow(countdown, [24, 3], around(text))?.step
  expect(now('2026-12-04 16:59')).toBeUndefined()
  expect(now('2026-12-04 17:00')).toBe(24)
  expect(now('2026-12-05 13:59')).toBe(24)
  expect(now('2026-12-05 14:00')).toBe(3)
  expect(now('2026-12-05 16:59')).toBe(3)
  expect(now('2026-12-05 17:00')).toBeUndefined()
})

test('nobody is reminded before anything can be done', () => {
  const countdown = ending('2026-12-05 17:00', '2026-12-05 09:00')
  expect(stepNow(countdown, [24], around('2026-12-04 18:00'))).toBeUndefined()
  expect(stepNow(countdown, [24], around('2026-12-05 09:00'))?.step).toBe(24)
  expect(nextStep(countdown, [24, 3], around('2026-12-04 18:00'))?.at).toEqual(at('2026-12-05 09:00'))
  expect(nextStep(countdown, [24, 3], around('2026-12-05 15:00'))).toBeUndefined()
})

test.each([
  ['20:30', '07:15', '2026-12-05 10:00', [3], ['2026-12-05 07:15']],
  ['20:30', '07:15', '2026-12-05 08:00', [3], ['2026-12-04 20:00']],
  ['12:00', '14:00', '2026-12-05 16:00', [3], ['2026-12-05 14:00']],
  ['12:00', '14:00', '2026-12-05 14:30', [2], ['2026-12-05 11:30']],
  ['08:00', '08:00', '2026-12-05 08:30', [3], ['2026-12-05 05:30']],
])('quiet from %s until %s, an end at %s, %s hours before: reminded at %s', (from, until, end, steps, due) => {
  expect(dueSteps(ending(end), steps, { from, until }).map(one => one.at)).toEqual(due.map(at))
})
