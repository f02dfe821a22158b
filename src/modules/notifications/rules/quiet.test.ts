import { expect, test } from 'vitest'
import { nightEnd } from './quiet.ts'

const at = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)

test.each([
  ['2026-12-30 21:59', null, '2026-12-30 21:59'],
  ['2026-12-30 22:00', null, '2026-12-31 08:00'],
  ['2026-12-31 23:10', null, '2027-01-01 08:00'],
  ['2026-12-31 02:00', null, '2026-12-31 08:00'],
  ['2026-12-31 07:59', null, '2026-12-31 08:00'],
  ['2026-12-31 08:00', null, '2026-12-31 08:00'],
  ['2026-12-31 02:00', '2026-12-31 09:00', '2026-12-31 08:00'],
  ['2026-12-31 02:00', '2026-12-31 08:59', '2026-12-31 02:00'],
])('what is due at %s, to be acted on until %s, is told at %s', (now, until, told) => {
  expect(nightEnd(at(now), until === null ? null : at(until))).toEqual(at(told))
})
