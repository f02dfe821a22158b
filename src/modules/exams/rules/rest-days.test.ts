import { expect, test } from 'vitest'
import { shanghai } from '../../../../tests/helper/app.ts'
import { restDay } from './rest-days.ts'

test.each([
  ['2027-01-01', '法定节假日'],
  // New Year's eve and the first days of the lunar year.
  ['2027-02-05', '法定节假日'],
  ['2027-02-06', '法定节假日'],
  ['2027-02-08', '法定节假日'],
  ['2027-02-09', null],
  ['2030-02-03', '法定节假日'],
  ['2026-02-16', '法定节假日'],
  ['2027-04-05', '法定节假日'],
  ['2028-04-04', '法定节假日'],
  ['2026-06-19', '法定节假日'],
  ['2026-09-25', '法定节假日'],
  ['2027-10-03', '法定节假日'],
  ['2027-10-09', '周末'],
  ['2027-10-11', null],
])('%s: %s', (day, rest) => {
  expect(restDay(shanghai(`${day} 00:00:00`))).toBe(rest)
  expect(restDay(shanghai(`${day} 23:59:59`))).toBe(rest)
})

test('a time that is not set lies on no day', () => expect(restDay(null)).toBeNull())
