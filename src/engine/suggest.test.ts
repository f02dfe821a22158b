import { describe, expect, test } from 'vitest'
import {
  check,
  type Definition,
  date,
  dateTime,
  daysOffOf,
  entity,
  flag,
  optional,
  resource,
  suggestedValues,
  suggestionChangesOf,
  text,
} from '#engine'
import { examination } from '#resources/exams/examination'

const Show = entity('show', '演出', {
  title: text('名称'),
  begin: optional(dateTime('开始')),
  end: optional(dateTime('结束')),
  sale: optional(dateTime('开售')),
  close: optional(dateTime('停售')),
  day: optional(date('日')),
  free: flag('免费'),
})

const show = resource(Show, {
  path: '/shows',
  form: {
    演出: ['title', 'begin', { field: 'end', suggest: { from: 'begin', days: 0, at: '22:00' } }],
    售票: [
      { field: 'sale', suggest: { from: 'begin', days: -7, at: '10:00' } },
      { field: 'close', suggest: { from: 'sale', workdays: 3 } },
      { field: 'day', suggest: { from: 'sale', days: 0 } },
    ],
  },
  later: { 售票: 'begin' },
})

const suggested = (values: object, off = '', changes = '') =>
  suggestedValues(show, values as Record<string, unknown>, daysOffOf(off), suggestionChangesOf(changes))

describe('a form suggests', () => {
  test('nothing while it is not known what to count from', () => expect(suggested({ title: 'a' })).toEqual({}))

  // 2027-03-13 is a Saturday.
  test('times by days and by working days, after those that it suggests itself', () =>
    expect(suggested({ begin: '2027-03-13 20:00:00' })).toEqual({
      end: '2027-03-13 22:00:00',
      sale: '2027-03-08 10:00:00',
      close: '2027-03-11 10:00:00',
      day: '2027-03-08',
    }))

  test('times after those that were entered', () =>
    expect(suggested({ begin: '2027-03-13 20:00:00', sale: '2027-03-05 09:30:00' })).toMatchObject({
      sale: '2027-03-08 10:00:00',
      close: '2027-03-10 09:30:00',
      day: '2027-03-05',
    }))

  test('no day off, of one year or of every year', () => {
    const begin = '2027-03-13 20:00:00'
    expect(suggested({ begin }, '2027-03-08~2027-03-09,03-11')).toMatchObject({
      sale: '2027-03-10 10:00:00',
      close: '2027-03-16 10:00:00',
    })
    expect(suggested({ begin }, '2026-03-08,12-01')).toMatchObject({ sale: '2027-03-08 10:00:00' })
  })

  test('what the tenant says otherwise', () =>
    expect(suggested({ begin: '2027-03-13 20:00:00' }, '', 'sale=-14@08:30,close=1,unknown=3,broken')).toMatchObject({
      sale: '2027-03-01 08:30:00',
      close: '2027-03-02 08:30:00',
      end: '2027-03-13 22:00:00',
    }))

  test('a day even where every day is off', () =>
    expect(suggested({ begin: '2027-03-13 20:00:00' }, '01-01~12-31').sale).toMatch(/^20/))
})

type Given = Definition<typeof Show>

describe('what does not fit is reported', () => {
  test('and the definitions themselves fit', () => expect(check([show])).toEqual([]))

  test.each<[change: Partial<Given>, sentence: string]>([
    [
      { form: [{ field: 'free', suggest: { from: 'begin', days: 1 } }] },
      'form suggests «free», which is neither a time nor a day',
    ],
    [
      { form: [{ field: 'end', suggest: { from: 'title', days: 1 } }] },
      'form suggests «end» from «title», which is neither a time nor a day',
    ],
    [
      { form: [{ field: 'end', suggest: { from: 'begin' } }] },
      'form suggests «end» by days and by workdays: say one of them',
    ],
    [
      { form: [{ field: 'end', suggest: { from: 'begin', days: 1, workdays: 1 } }] },
      'form suggests «end» by days and by workdays: say one of them',
    ],
    [
      { form: [{ field: 'end', suggest: { from: 'begin', workdays: -1 } }] },
      'form suggests «end» by workdays that do not go forward',
    ],
    [
      { form: [{ field: 'end', suggest: { from: 'begin', days: 1, at: '9:00' } }] },
      'form suggests «end» at «9:00», which is no time of the day',
    ],
    [
      {
        form: [
          { field: 'end', suggest: { from: 'sale', days: 1 } },
          { field: 'sale', suggest: { from: 'end', days: 1 } },
        ],
      },
      'form suggests «sale» from itself',
    ],
    [{ later: { 谢幕: 'begin' } }, 'later names «谢幕», which is no group of the form'],
    [{ later: { 售票: 'free' } }, 'later asks «售票» from «free» on, which is neither a time nor a day'],
    [{ later: { 演出: 'begin' } }, 'later asks «演出», but a new row needs «title»'],
    [{ addPage: '/show/new', can: ['view'] }, 'addPage is «/show/new», but no rows are added'],
  ])('%j', (change, sentence) => {
    const form = { 演出: ['title', 'begin'], 售票: ['sale'] } as const
    expect(check([resource(Show, { path: '/shows', form, ...change })]).join('\n')).toContain(sentence)
  })
})

test('what is no field does not compile', () => {
  // @ts-expect-error there is no such time
  resource(Show, { path: '/shows', form: [{ field: 'end', suggest: { from: 'start', days: 1 } }] })
  // @ts-expect-error nor one that a group waits for
  resource(Show, { path: '/shows', later: { 售票: 'start' } })
  expect(examination.addPage).toBe('/exam/new')
})
