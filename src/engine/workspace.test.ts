import { expect, test } from 'vitest'
import { type Workspace, withPointers, workspace, workspaceProblems } from '#engine'
import { resources, views } from '#resources'
import { examination } from '#resources/exams/examination'
import { workspaces } from '#resources/workspaces'

const screens = [...resources, ...views]
const [exam] = workspaces as [Workspace]
const line = exam.today.find(({ title }) => title === '待审核')!

test('a list belongs to the row by its only reference, or by the way that is said', () => {
  const byOf = (name: string) => exam.pages.flatMap(page => (page.name === name && 'by' in page ? page.by : []))
  expect(byOf('positions')).toEqual(['examId'])
  expect(byOf('orders')).toEqual(['biz.examId'])
  expect(workspaceProblems(workspaces, screens)).toEqual([])
})

/** The workspace of exams with something else in it. */
const changed = (change: Partial<Workspace>): Workspace => withPointers({ ...exam, ...change }, screens)
const page = (list: string, by = '') =>
  changed({ pages: [...exam.pages, { tab: '准备', name: 'lamps', list, by, overview: null }] })

test.each<[change: Workspace, sentence: string]>([
  [changed({ name: 'lamp' }), 'workspaces: lamp: there is no such resource'],
  [page('lamp'), 'page lamps lists «lamp», which is no resource'],
  [page('param'), 'page lamps: param has no reference to examination; say which way it belongs to one (by)'],
  [page('payorder'), 'page lamps: payorder has no reference to examination'],
  [page('signup', 'unit'), 'page lamps: «unit» of signup does not refer to examination'],
  [page('payorder', 'biz.name'), 'page lamps: «biz.name» of payorder does not refer to examination'],
  [changed({ pages: [...exam.pages, exam.pages[0]!] }), 'two pages are called «edit»'],
  [
    changed({ pages: [{ tab: '准备', name: 'Lamps', page: '/x', code: null, apart: null }] }),
    '«Lamps» is no part of an address',
  ],
  [changed({ header: { ...exam.header, state: 'light' } }), 'shows «light», which examination does not have'],
  [changed({ header: { ...exam.header, main: ['blink'] } }), '«blink» is no button of examination'],
  [changed({ checks: { ...exam.checks!, then: 'blink' } }), '«blink» is no button of examination'],
  [
    changed({ checks: { ...exam.checks!, mend: { fee: { page: 'lamps', new: null } } } }),
    '«fee» is mended on «lamps», which is no page',
  ],
  [
    changed({ checks: { ...exam.checks!, mend: { fee: { page: 'stages', new: { light: 1 } } } } }),
    '«fee» begins a row with «light», which examinationitem does not have',
  ],
  [
    changed({ checks: { ...exam.checks!, mend: { fee: { page: 'form', new: {} } } } }),
    '«fee» adds a row on «form», where none can be added',
  ],
  [changed({ checks: { ...exam.checks!, tell: ['light'] } }), 'shows «light», which examination does not have'],
  [changed({ today: [{ ...line, page: 'lamps' }] }), 'today «待审核» leads to «lamps», which is no page'],
  [changed({ today: [{ ...line, page: 'refunds' }] }), 'leads to «refunds», which does not list signup'],
  [
    changed({ today: [{ ...line, where: { light: 1 } }] }),
    'asks for «light», which the search of signup does not have',
  ],
  [changed({ today: [{ ...line, oldest: 'name' }] }), 'is as old as «name», which is no time of signup'],
  [changed({ today: [{ ...line, oldest: null, parts: 'name' }] }), 'is parted by «name», which has no fixed words'],
  [changed({ today: [{ ...line, view: '亮' }] }), 'asks for «亮», which is no view of signup'],
  [changed({ today: [{ ...line, sum: 'name' }] }), 'sums up «name», which is no total of signup'],
  [changed({ today: [{ ...line, among: '亮' }] }), '«待审核» is among «亮», which is no line'],
  [
    changed({ trend: { ...exam.trend!, numbers: [{ ...exam.trend!.numbers[0]!, page: 'refunds' }] } }),
    'today «通过» leads to «refunds», which does not list signup',
  ],
])('problem %#', (one, sentence) => expect(workspaceProblems([one], screens).join('\n')).toContain(sentence))

test('two workspaces have two addresses', () =>
  expect(workspaceProblems([exam, changed({})], screens).join('\n')).toContain('its address «/exam/:id» is taken'))

test('what is wrong of a page, a state or a button does not compile', () => {
  const pages = { 报名: { signups: { list: 'signup' } } } as const
  // @ts-expect-error there is no such entity
  workspace(examination, { route: '/x/:id', header: {}, pages: { 报名: { signups: { list: 'signups' } } } })
  // @ts-expect-error the address ends with the row
  workspace(examination, { route: '/x', header: {}, pages })
  // @ts-expect-error the exam has no such field
  workspace(examination, { route: '/x/:id', header: { facts: ['light'] }, pages })
  // @ts-expect-error nor such a button
  workspace(examination, { route: '/x/:id', header: { main: ['blink'] }, pages })
  const today = { of: 'signup', where: { examine: 0 }, page: 'signups' } as const
  workspace(examination, { route: '/x/:id', header: {}, pages, today: { 待审核: today } })
  // @ts-expect-error a state has no such key
  workspace(examination, { route: '/x/:id', header: {}, pages, today: { 待审核: { ...today, where: { examine: 7 } } } })
  // @ts-expect-error there is no such page
  workspace(examination, { route: '/x/:id', header: {}, pages, today: { 待审核: { ...today, page: 'lamps' } } })
})
