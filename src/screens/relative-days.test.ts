import { expect, test } from 'vitest'
import { absolute, holdsDay, relative } from './relative-days.ts'

const now = Date.parse('2026-06-15T23:30:00Z')
const later = Date.parse('2026-06-20T02:00:00Z')

test('days move on with today, by the clock of the server, and everything else stays', () => {
  const filters = {
    submitTime_dategt: '2026-06-09 00:00:00',
    submitTime_datelt: '2026-06-16 23:59:59',
    endDate: '2026-07-01',
    examine: 0,
    name: '张',
  }
  const kept = relative(filters, now)
  expect(kept).toEqual({
    submitTime_dategt: '$today-7 00:00:00',
    submitTime_datelt: '$today 23:59:59',
    endDate: '$today+15',
    examine: 0,
    name: '张',
  })
  expect(absolute(kept, now)).toEqual(filters)
  expect(absolute(kept, later)).toMatchObject({
    submitTime_dategt: '2026-06-13 00:00:00',
    submitTime_datelt: '2026-06-20 23:59:59',
    endDate: '2026-07-05',
  })
  expect([holdsDay(filters), holdsDay({ name: '张' })]).toEqual([true, false])
})
