import { describe, expect, test } from 'vitest'
import { daysOffOf } from '#engine'
import { PublicityKind, WorkdayKind } from '#schemas/dictionaries/publicity'
import { shanghai } from '../../../../tests/helper/app.ts'
import { maskName } from '../../../engine/mask-name.ts'
import { columnsFor, isFreeCell, workdaysFor } from './columns.ts'
import { holdsPartOf } from './digit-scan.ts'
import { readReceipt, receiptOf } from './receipt.ts'
import { calendarOf, unknownYears, workdaysAfter, workdaysBetween } from './work-days.ts'

describe('names on public lists', () => {
  test.each([
    ['张三', '张*'],
    ['张小明', '张*明'],
    ['欧阳晓娜', '欧阳*娜'],
    ['欧阳娜', '欧阳*'],
    ['张王小明', '张**明'],
    ['买买提·艾力', '买买提·*'],
    ['阿卜杜拉・买买提・艾力', '阿卜杜拉·*'],
    // Characters outside the basic plane are one character each.
    ['\u{20BB7}\u{2A6A5}三', '\u{20BB7}*三'],
    ['\u{20BB7}\u{2A6A5}', '\u{20BB7}*'],
    ['John Smith', 'John *'],
    ['Madonna', 'M*'],
    ['王', '王*'],
  ])('%s is %s', (name, masked) => expect(maskName(name)).toBe(masked))
})

describe('parts of numbers', () => {
  const numbers = ['350102199003071234', '13859012345']
  test.each([
    ['电话 5901', true],
    ['尾号1234', true],
    ['１３８５ 9', true],
    ['3-5-0-1', true],
    ['138 0000', false],
    ['2027届', false],
    ['第590人', false],
    ['', false],
  ])('in «%s»: %s', (text, found) => expect(holdsPartOf(text, numbers)).toBe(found))

  test('are looked for in what people wrote, and not in our own numbers', () => {
    expect(['name', 'major', 'unit', 'remark', 'postName'].filter(one => !isFreeCell(one as 'name'))).toEqual([])
    expect(['signNo', 'ticketNo', 'code', 'score', 'birthMonth'].filter(one => isFreeCell(one as 'code'))).toEqual([])
  })
})

describe('work days', () => {
  const days = (first: string, count: number, workdayKind: number = WorkdayKind.holiday) =>
    Array.from({ length: count }, (_, i) => ({
      day: new Date(Date.parse(`${first}T00:00:00Z`) + i * 86_400_000).toISOString().slice(0, 10),
      workdayKind,
    }))
  // 1 to 7 October off, worked for on Sunday 26 September and Saturday 9 October.
  const calendar = calendarOf(
    [
      ...days('2027-10-01', 7),
      ...days('2027-09-26', 1, WorkdayKind.shifted),
      ...days('2027-10-09', 1, WorkdayKind.shifted),
    ],
    daysOffOf('-'),
  )

  test('seven of them over 1 to 7 October end on the 13th', () => {
    // 29, 30 September, 8, 9 (a Saturday that is worked on), 11, 12, 13 October.
    const end = workdaysAfter(shanghai('2027-09-28 09:00:00'), 7, calendar)
    expect(end).toEqual(shanghai('2027-10-13 17:00:00'))
    expect(workdaysBetween(shanghai('2027-09-28 09:00:00'), end, calendar)).toBe(7)
  })

  test('count the last day only when its work is over', () => {
    const [start, early] = [shanghai('2027-10-11 09:00:00'), shanghai('2027-10-13 16:59:59')]
    expect(workdaysBetween(start, early, calendar)).toBe(1)
    expect(workdaysBetween(start, shanghai('2027-10-13 17:00:00'), calendar)).toBe(2)
    expect(workdaysBetween(start, start, calendar)).toBe(0)
  })

  test('are those of the parameter in a year whose holidays are not known, which is named', () => {
    const other = calendarOf(days('2027-10-01', 7), daysOffOf('2028-01-03'))
    expect(other.isOff('2028-01-03')).toBe(true)
    expect(other.isOff('2028-01-04')).toBe(false)
    expect(unknownYears(shanghai('2027-12-28 09:00:00'), shanghai('2028-01-10 17:00:00'), other)).toEqual(['2028'])
  })
})

test('a kind has its own number of work days, and columns that others may not have', () => {
  expect(workdaysFor('1=3,7=7', PublicityKind.hiring)).toBe(7)
  expect(workdaysFor('1=3,7=7', PublicityKind.payment)).toBe(0)
  expect(columnsFor(PublicityKind.scores).preset).not.toContain('name')
  expect(columnsFor(PublicityKind.shortlist).more).not.toContain('birthMonth')
})

test('a receipt number is read as people type it', () => {
  const receipt = receiptOf(new Uint8Array([0xff, 0, 0x12, 0x34, 0x56]))
  expect(receipt).toMatch(/^GS-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(receiptOf(new Uint8Array(5))).toBe('GS-0000-0000')
  expect(readReceipt(receipt.toLowerCase().replaceAll('-', ' '))).toBe(receipt)
  expect(readReceipt('gs oooo-il1L')).toBe('GS-0000-1111')
  expect(readReceipt('GS-0000-000')).toBeNull()
  expect(readReceipt('UUUU-UUUU')).toBeNull()
})
