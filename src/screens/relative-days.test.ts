import { expect, test } from 'vitest'
import { absolute, holdsDay, keptLike, relative } from './relative-days.ts'

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

test('what is kept again has the form that it had: moving days move, standing days stand, new ones are like the others', () => {
  const filters = { from_dategt: '2026-06-09', to: '2026-06-16', more: '2026-06-01', name: '张' }
  expect(keptLike({ from_dategt: '$today-3', to: '2026-01-01' }, filters, now)).toEqual({
    from_dategt: '$today-7',
    to: '2026-06-16',
    more: '$today-15',
    name: '张',
  })
  expect(keptLike({ to: '2026-01-01' }, filters, now)).toEqual(filters)
  expect(keptLike({ name: '李' }, filters, now)).toMatchObject({ to: '$today', name: '张' })
  // Words of a field that is no day any more are not taken for days.
  expect(keptLike({ name: '$today' }, { name: '张' }, now)).toEqual({ name: '张' })
})
