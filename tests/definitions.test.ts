import { describe, expect, test } from 'vitest'
import {
  checkSheets,
  entity,
  type GuardedBy,
  numberedShape,
  type Resource,
  type Sheet,
  sheet,
  text,
  transitionsOf,
} from '#engine'
import { modules, type Resources, resources, views } from '#resources'
import { examinationitem } from '#resources/exams/examinationitem'
import { sheets } from '#resources/sheets'
import { workspaces } from '#resources/workspaces'
import { entities } from '#schemas'
import { definitionProblems } from '../src/crud/definitions.ts'
import { byResource, guard } from '../src/crud/rules.ts'
import { sheetRuleProblems } from '../src/crud/sheet-rules.ts'
import { extensions } from '../src/server/extensions.ts'
import { rules } from '../src/server/rules.ts'
import { sheetRulesList } from '../src/server/sheets.ts'

const listed: Resource = resources.find(one => one.name === 'postreductionname')!
/** Transitions that do not compile without their guard, as types know them. */
type Guarded = {
  [K in keyof Resources]: Resources[K] extends Resource
    ? string extends Resources[K]['name']
      ? never
      : `${Resources[K]['name']}.${GuardedBy<Resources[K]>}`
    : never
}[keyof Resources]

const roundTrip = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('definitions', () => {
  test('and rules fit together', () =>
    expect(
      definitionProblems(resources, rules, extensions.scopes, views, { sheets, rules: sheetRulesList }, workspaces),
    ).toEqual([]))

  test('every sum stands below a column that is seen at a desk', () => {
    const seen = ({ columns }: Resource) =>
      columns.flatMap(({ field, as, folded, with: below = [] }) => [
        ...(folded ? [] : [field, ...below]),
        // Its cell says both.
        ...(as === 'ofCapacity' ? ['capacity'] : []),
      ])
    const unseen = (resources as readonly Resource[]).flatMap(one =>
      one.totals.filter(name => !seen(one).includes(name)).map(name => `${one.name}.${name}`),
    )
    expect(unseen).toEqual([])
  })

  test('actions and removals refuse with what has a text', () => {
    const [name, action] = Object.entries(listed.actions)[0]!
    const removable = { when: {}, refusal: 'row.inUes' }
    const wrong = { ...listed, removable, actions: { [name]: { ...(action as object), refusal: 'reduction.chosn' } } }
    const problems = definitionProblems([wrong as unknown as Resource], {}, extensions.scopes)
    expect(problems).toContain(`resources: ${listed.name}: action ${name}: there is no refusal reduction.chosn`)
    expect(problems).toContain(`resources: ${listed.name}: removable: there is no refusal row.inUes`)
  })

  test('an action that answers where a page opens, or otherwise than another at its address, is named', () => {
    const [open, first] = [
      { label: '看', call: 'GET look?id', open: '/look/:id' },
      { label: '闪', call: 'POST blink?id,on=1' },
    ]
    const second = { label: '停', call: 'POST blink?id,on=0', answer: numberedShape }
    const actions = { look: { ...open, answer: numberedShape }, blink: first, rest: second }
    const problems = definitionProblems([{ ...listed, actions } as unknown as Resource], {}, extensions.scopes)
    expect(problems).toEqual(
      expect.arrayContaining([
        `resources: ${listed.name}: action look has an answer, but opens a page or sends a file`,
        `resources: ${listed.name}: action rest answers otherwise than blink, which has its address`,
      ]),
    )
  })

  test('a guard without a function, one without a transition and a listener of nothing are named', () => {
    const stage = rules.examinationitem
    const odd = { event: 'relaseTicket', run: () => undefined }
    const wrong = { ...stage, guards: { enable: () => undefined }, listeners: [odd] }
    const problems = definitionProblems([examinationitem], { examinationitem: wrong }, extensions.scopes)
    expect(problems).toEqual(
      expect.arrayContaining([
        'rules: examinationitem: transition releaseTicket has a guard without a function',
        'rules: examinationitem: «enable» is no transition with a guard',
        'rules: examinationitem: somebody listens to «relaseTicket», which does not happen to it',
      ]),
    )
    const one = guard(examinationitem, 'disable', () => undefined)
    expect(() => byResource([one, one])).toThrow('These rules are given twice: examinationitem.disable')
  })

  test('types know every transition that has a guard', () => {
    const known: readonly Guarded[] = [
      'datapurge.confirm',
      'datapurge.plan',
      'datarequest.finish',
      'examarchive.confirm',
      'examination.archive',
      'examination.releaseExam',
      'examinationitem.disable',
      'examinationitem.releaseTicket',
      'examinationitem.unlockSeats',
      'hook.enable',
      'hookdelivery.replay',
      'job-workflow-run.retry',
      'objection.propose',
      'promotion.confirm',
      'publicity.confirm',
      'publicity.send',
      'publicityrow.omit',
      'publicityrow.restore',
      'resultappeal.correct',
      'signup.giveUp',
      'signup.withdraw',
      'sms.enable',
      'user.auditPass',
      'user.auditRefuse',
      'user.disable',
      'user.disableMany',
      'user.enable',
      'userupdateinfo.pass',
      'userupdateinfo.reject',
      'work-item.retry',
    ]
    const written = resources.flatMap(one =>
      Object.entries(transitionsOf(one)).flatMap(([name, { guard: has }]) => (has ? `${one.name}.${name}` : [])),
    )
    expect(written.toSorted()).toEqual(known)
  })

  test.each(entities.map(one => [one.name, one] as const))('schema %s is plain JSON', (_, entity) => {
    expect(roundTrip(entity)).toEqual(entity)
  })

  test.each(sheets.map(one => [one.version, one] as const))('sheet %s is plain JSON', (_, one) => {
    expect(roundTrip(one)).toEqual(one)
  })

  test.each([...resources, ...views].map(one => [one.name, one] as const))(
    'resource %s is plain JSON',
    (_, resource: Resource) => {
      expect(roundTrip(resource)).toEqual(resource)
    },
  )

  test('every resource and every view that a file defines has its place in the menu', () => {
    const files = import.meta.glob<Record<string, unknown>>('../resources/*/*.ts', { eager: true })
    const defined = Object.values(files).flatMap(file => Object.values(file))
    const offered = defined.filter((one): one is Resource => typeof one === 'object' && one !== null && 'entity' in one)
    const placed = modules.flatMap(module => [...module.resources, ...module.views])
    expect([...new Set(offered)].filter(one => !placed.includes(one)).map(one => one.name)).toEqual([])
    expect(views.length).toBeGreaterThan(2)
  })

  test.each(resources.filter(one => Object.keys(one.views).length > 0).map(one => [one.name, one] as const))(
    'the columns of %s and their buttons stand beside each other in a window of 1440',
    (name, { columns, can, actions, main }) => {
      const buttons = Object.entries(actions as Readonly<Record<string, { label: string; on?: string }>>)
      const label = (one: string): string => buttons.find(([action]) => action === one)?.[1].label ?? '编辑'
      const drawn = main === 'all' ? ['查看编辑'] : (main ?? ['edit']).map(label)
      const isChosen = can.includes('remove') || buttons.some(([, { on }]) => on === 'rows')
      const widths = columns.flatMap(({ width = Number.NaN, folded }) => (folded ? [] : [width]))
      // A Chinese character takes 15 pixels, what stands around the words 72, a column of boxes 48.
      const room = Math.max(...drawn.map(words => words.length * 15)) + 72 + (isChosen ? 48 : 0)
      // Beside accounts stand the departments, around results of a stage a frame.
      const beside = { user: 236, result: 48 }[name] ?? 0
      expect(widths.reduce((sum, width) => sum + width, room + beside)).toBeLessThanOrEqual(1120)
      expect(widths.length).toBeGreaterThan(4)
    },
  )

  test.each(resources.map(one => [one.name, one] as const))(
    'deleting %s is drawn only where all buttons are',
    (_, { main }) => expect(Array.isArray(main) && main.includes('remove')).toBe(false),
  )

  /** What people keep for themselves: only its own calls reach it. */
  // Nobody looks at them as rows: pages of their own put them into words.
  const unlisted = [
    'contact',
    'event',
    'eventchoice',
    'formeraddress',
    'message',
    'preference',
    'reminderplan',
    'wechatbinding',
  ]

  test('the table of contents holds every entity once', () => {
    const listed = entities.map(one => one.name).filter(name => !unlisted.includes(name))
    expect(resources.map(one => one.entity.name).toSorted()).toEqual(listed.toSorted())
    expect(new Set(modules.map(one => one.code)).size).toBe(modules.length)
  })
})

describe('what types cannot see of sheets', () => {
  const Lamp = entity('lamp', '灯', { name: text('名称'), code: text('编号') })
  const lamps = sheet(Lamp, { title: '灯', version: 'lamp-1', key: ['code'], columns: ['name', 'code'] })
  const same = sheet(Lamp, {
    title: '灯',
    version: 'lamp-2',
    key: ['code'],
    columns: [{ field: 'name', role: 'same' }, 'code'],
  })
  const [name, code] = lamps.columns as unknown as [Sheet['columns'][number], Sheet['columns'][number]]
  const sheetIn = (changes: Partial<Sheet>): Sheet => ({ ...lamps, ...changes }) as Sheet

  test('nothing is wrong with a whole one', () => expect(checkSheets([lamps])).toEqual([]))

  test.each<[Sheet[], string]>([
    [[lamps, lamps], 'version «lamp-1» is used twice'],
    [[sheetIn({ key: ['volts'] })], 'the key «volts» is no column'],
    [[sheetIn({ columns: [name, { ...code, role: 'shown' }] })], 'the key «code» is a column that nobody fills in'],
    [[sheetIn({ key: [], columns: [{ ...name, role: 'same' }] })], 'no row is found without a key'],
    [[sheetIn({ columns: [name, name, code] })], 'the column «name» is there twice'],
    [[sheetIn({ columns: [name, { ...code, field: name.field }] })], 'two columns have the heading «名称»'],
    [[sheetIn({ version: 'lamp' })], 'no number that could rise'],
  ])('problem %#', (list, sentence) => expect(checkSheets(list).join('\n')).toContain(sentence))

  const rulesOf = (one: Sheet, given: object) => ({ sheet: one, given })
  test.each<[Sheet[], ReturnType<typeof rulesOf>[], string]>([
    [[lamps], [], 'the sheet has no rules'],
    [[lamps], [rulesOf(lamps, {}), rulesOf(lamps, {})], 'has rules twice'],
    [[], [rulesOf(lamps, {})], 'lamp-1 is no sheet'],
    [[same], [rulesOf(same, {})], 'nothing finds the rows'],
    [[lamps], [rulesOf(lamps, { more: () => [] })], 'more columns'],
  ])('rules %#', (list, given, sentence) => expect(sheetRuleProblems(list, given).join('\n')).toContain(sentence))
})
