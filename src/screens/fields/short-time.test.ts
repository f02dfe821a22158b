import { expect, test } from 'vitest'
import { keepTime } from '../../platform/http/browser/clock.ts'
import { shortTime } from './short-time.ts'

test.each([
  ['2030-05-01 00:00:00', '00:00'],
  ['2030-05-01 23:59:59', '23:59'],
  ['2030-04-29 08:05:30', '周一 08:05'],
  ['2030-05-05 23:00:00', '周日 23:00'],
  ['2030-04-28 23:59:59', '04-28'],
  ['2030-05-06 00:00:00', '05-06'],
  ['2029-12-31 10:00:00', '2029-12-31'],
  ['2031-01-01 10:00:00', '2031-01-01'],
])('on a Wednesday %s is %s', (text, short) => {
  keepTime('2030-05-01 00:00:30')
  expect(shortTime(text)).toBe(short)
})
