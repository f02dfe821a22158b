import { describe, expectTypeOf, test } from 'vitest'
import {
  bizDictionary,
  dateTime,
  dictionary,
  type EventOf,
  entity,
  events,
  type GuardedBy,
  type HandledBy,
  integer,
  optional,
  type RefusalCodes,
  type Refusals,
  type RefusalTable,
  type RefusalValue,
  type Row,
  ref,
  refs,
  resource,
  state,
  text,
  through,
  view,
} from '#engine'
import { byExam, settings } from '#resources/scopes'
import { signup } from '#resources/sign-up/signup'
import { emit } from '../src/crud/emit.ts'
import type { Reader, Trx } from '../src/platform/database/database.ts'
import '../src/platform/database/system-tables.ts'
import {
  type Across,
  type AcrossTrx,
  type Live,
  type LiveTrx,
  liveAcross,
  liveFor,
  updateUnstamped,
  withRemoved,
} from '../src/platform/database/live.ts'
import { isRefusal, type Refusal, refuse, refuseSaying } from '../src/platform/http/server/refusal.ts'

const light = dictionary('light', '信号', { red: [0, '红'], green: [1, '绿'] })
const kind = bizDictionary('kind', '类别', [['01', '甲']])
const Lamp = entity('lamp', '灯', {
  name: text('名称', { maxLength: 20 }),
  light: state('信号', light),
  volts: integer('电压', { minimum: 0 }),
  owner: optional(ref('负责人', 'user')),
})
const path = '/blade-test/lamp'

describe('what a definition gives', () => {
  test('the names of a dictionary are the literal types of its keys', () => {
    expectTypeOf(light.names).toEqualTypeOf<{ readonly red: 0; readonly green: 1 }>()
    expectTypeOf(light.names.green).toEqualTypeOf<1>()
  })

  test('a row has the values of its fields', () => {
    type R = Row<typeof Lamp>
    expectTypeOf<R['name']>().toEqualTypeOf<string>()
    expectTypeOf<R['light']>().toEqualTypeOf<0 | 1>()
    expectTypeOf<R['owner']>().toEqualTypeOf<string | null>()
    expectTypeOf<R['createTime']>().toEqualTypeOf<Date>()
  })

  test('what is derived is a column and may have a sum, like what is stored', () => {
    const derived = { heat: integer('热度') }
    const lamp = resource(Lamp, {
      path,
      derived,
      columns: ['name', { field: 'heat', as: 'tag', card: true }],
      totals: ['heat', 'volts'],
      measured: ['heat'],
      search: ['name', 'heat'],
      views: { 热: { heat: { atLeast: 'volts' } } },
    })
    expectTypeOf(lamp.entity).toEqualTypeOf(Lamp)
  })

  test('fields behind a reference are columns and can be searched', () => {
    const lamp = resource(Lamp, {
      path,
      columns: ['name', 'owner.realName', { field: 'owner.createTime', width: 200 }],
      search: ['owner.realName'],
      searchBy: { 'owner.realName': 'whole' },
    })
    expectTypeOf(lamp.entity).toEqualTypeOf(Lamp)
  })

  test('a list has named filters, a box that searches several texts, second lines and drawn buttons', () => {
    const lamp = resource(Lamp, {
      path,
      columns: [{ field: 'name', with: ['volts', 'owner.realName'] }, 'light'],
      find: ['name', 'owner.realName'],
      views: {
        红: { light: light.names.red },
        亮着: { light: [0, 1], volts: { not: 0 } },
        我的: { owner: '$caller' },
        不是我的: { owner: { not: '$caller' } },
        没有人的: { owner: null },
        近7天: { createTime: { since: '$today-6' } },
        从前: { createTime: { before: '$now' } },
        够亮: { volts: { atLeast: 12 } },
        全部: {},
      },
      actions: { blink: { label: '闪', call: 'POST blink?id' } },
      transitions: { off: { label: '关', call: 'POST off?id', when: { light: 1 }, set: { light: 0 } } },
      main: ['blink', 'off', 'view'],
    })
    expectTypeOf(lamp.entity).toEqualTypeOf(Lamp)
    resource(Lamp, { path, main: 'all' })
  })

  test('actions need a handler, transitions do not; those with a guard need its function', () => {
    const lamp = resource(Lamp, {
      path,
      actions: { blink: { label: '闪', call: 'POST blink?id' } },
      transitions: {
        on: { label: '开', call: 'POST on?id', when: { light: 0 }, guard: '有电', set: { light: 1 } },
        off: { label: '关', when: { light: 1 }, set: { light: 0, owner: '$caller' } },
      },
    })
    expectTypeOf<HandledBy<typeof lamp>>().toEqualTypeOf<'blink'>()
    expectTypeOf<GuardedBy<typeof lamp>>().toEqualTypeOf<'on'>()
    expectTypeOf<EventOf<typeof lamp>>().toEqualTypeOf<'on' | 'off' | 'submit' | 'remove'>()
    expectTypeOf(lamp.actions).toHaveProperty('on')
  })
})

describe('what does not compile', () => {
  test('in a schema', () => {
    // @ts-expect-error a field needs its label
    text()
    // @ts-expect-error a length is a number
    text('名称', { maxLength: '20' })
    // @ts-expect-error `maxLenght` is no option
    text('名称', { maxLenght: 20 })
    // @ts-expect-error a number has no length
    integer('电压', { maxLength: 3 })
    // @ts-expect-error there is no such format
    text('电话', { format: 'fone' })
    // @ts-expect-error a state needs a dictionary
    state('信号', 'light')
    // @ts-expect-error 2 is no key of the dictionary
    state('信号', light, { default: 2 })
    // @ts-expect-error `gren` is no name of the dictionary
    state('信号', light, { default: light.names.gren })
    // @ts-expect-error a key has a name
    dictionary('light', '信号', { 0: '红' })
    // @ts-expect-error pairs, not an object
    bizDictionary('kind', '类别', { '01': '甲' })
    // @ts-expect-error the label is a field of the entity
    entity('lamp', '灯', { name: text('名称') }, { label: 'nam' })
    // @ts-expect-error a unique rule names fields of the entity
    entity('lamp', '灯', { name: text('名称') }, { uniques: [['nmae']] })
    // @ts-expect-error a table is cut by month
    entity('lamp', '灯', { name: text('名称') }, { partition: 'day' })
    // @ts-expect-error `examinaton` is no entity
    ref('考试', 'examinaton')
    // @ts-expect-error nor is one of several
    refs('考试项目', 'examinationitems')
    // @ts-expect-error a row goes with the one it refers to, or keeps it
    ref('负责人', 'user', { onRemove: 'keep' })
    // @ts-expect-error of several rows none takes this one with it
    refs('负责人', 'user', { onRemove: 'with' })
    const voltage = { name: text('名称'), light: state('信号', light), volts: optional(integer('电压')) }
    entity('lamp', '灯', voltage, { requiredWhen: { volts: { light: 1 } } })
    // @ts-expect-error a name is always required
    entity('lamp', '灯', voltage, { requiredWhen: { name: { light: 1 } } })
    // @ts-expect-error nobody is asked for what the server fills
    entity('lamp', '灯', voltage, { requiredWhen: { light: { name: '甲' } } })
    // @ts-expect-error `vlots` is no field to ask for
    entity('lamp', '灯', voltage, { requiredWhen: { vlots: { light: 1 } } })
    // @ts-expect-error a condition looks at a field
    entity('lamp', '灯', voltage, { requiredWhen: { volts: { ligth: 1 } } })
    // @ts-expect-error 9 is no state that would ask for it
    entity('lamp', '灯', voltage, { requiredWhen: { volts: { light: 9 } } })
    // @ts-expect-error a field is made by a constructor
    entity('lamp', '灯', { name: '名称' })
    expectTypeOf(kind.code).toEqualTypeOf<string>()
  })

  test('in a resource', () => {
    // @ts-expect-error a resource has a path
    resource(Lamp, {})
    // @ts-expect-error `nmae` is no field
    resource(Lamp, { path, columns: ['nmae'] })
    // @ts-expect-error `nmae` is no field, also with options
    resource(Lamp, { path, columns: [{ field: 'nmae', width: 100 }] })
    // @ts-expect-error `realNmae` is no field of the row that `owner` names
    resource(Lamp, { path, columns: ['name', 'owner.realNmae'] })
    // @ts-expect-error `ownr` is no reference
    resource(Lamp, { path, search: ['ownr.realName'] })
    // @ts-expect-error one step only
    resource(Lamp, { path, columns: ['owner.deptId.deptName'] })
    // @ts-expect-error what is sorted at first is a field of its own
    resource(Lamp, { path, columns: ['owner.realName'], sort: 'owner.realName' })
    // @ts-expect-error `nmae` cannot be searched
    resource(Lamp, { path, search: ['nmae'] })
    // @ts-expect-error `nmae` is found nowhere
    resource(Lamp, { path, find: ['nmae'] })
    // @ts-expect-error nor is `realNmae` of the row that `owner` names
    resource(Lamp, { path, find: ['owner.realNmae'] })
    // @ts-expect-error `lihgt` is no field of a named filter
    resource(Lamp, { path, views: { 红: { lihgt: 0 } } })
    // @ts-expect-error 9 is no state of the lamp
    resource(Lamp, { path, views: { 红: { light: 9 } } })
    // @ts-expect-error nor is it one of several
    resource(Lamp, { path, views: { 红: { light: [0, 9] } } })
    // @ts-expect-error nor is anything else but it
    resource(Lamp, { path, views: { 红: { light: { not: 9 } } } })
    // @ts-expect-error whoever asks is no number
    resource(Lamp, { path, views: { 我的: { volts: '$caller' } } })
    // @ts-expect-error a number has no day since when it is
    resource(Lamp, { path, views: { 今天: { volts: { since: '$today' } } } })
    // @ts-expect-error `maedTime` is no field since which a row waits
    resource(Lamp, { path, views: { 红: { light: 0 } }, todos: { 红: { label: '红灯', since: 'maedTime' } } })
    // @ts-expect-error 9 is no state in which a row waits too long
    resource(Lamp, { path, views: { 红: { light: 0 } }, todos: { 红: { label: '红灯', overdue: { light: 9 } } } })
    // @ts-expect-error `$todya` is no day
    resource(Lamp, { path, views: { 今天: { createTime: { since: '$todya' } } } })
    // @ts-expect-error a name has no size
    resource(Lamp, { path, views: { 大: { name: { atLeast: 1 } } } })
    // @ts-expect-error `heat` is not derived
    resource(Lamp, { path, measured: ['heat'] })
    // @ts-expect-error `nmae` stands below nothing
    resource(Lamp, { path, columns: [{ field: 'name', with: ['nmae'] }] })
    // @ts-expect-error `blnik` is no button
    resource(Lamp, { path, actions: { blink: { label: '闪', call: 'POST blink?id' } }, main: ['blnik'] })
    // @ts-expect-error all of them or some
    resource(Lamp, { path, main: 'some' })
    // @ts-expect-error `-nmae` is no order
    resource(Lamp, { path, sort: '-nmae' })
    // @ts-expect-error `nmae` is no input
    resource(Lamp, { path, form: { 基本: ['nmae'] } })
    // @ts-expect-error `serach` is no word of a definition
    resource(Lamp, { path, serach: ['name'] })
    // @ts-expect-error `veiw` is no ability
    resource(Lamp, { path, can: ['veiw'] })
    // @ts-expect-error a call begins with its method
    resource(Lamp, { path, calls: { list: 'PUT page' } })
    // @ts-expect-error the page size is one of the five
    resource(Lamp, { path, pageSize: 25 })
    // @ts-expect-error the order stands in a field
    resource(Lamp, { path, order: { by: 'volt' } })
    // @ts-expect-error several rows take a field
    resource(Lamp, { path, bulk: ['nmae'] })
    // @ts-expect-error an order is within a field
    resource(Lamp, { path, order: { by: 'volts', within: 'ownr' } })
    // @ts-expect-error `heta` is neither a field nor derived
    resource(Lamp, { path, derived: { heat: integer('热度') }, columns: ['name', 'heta'] })
    // @ts-expect-error `heta` has no sum
    resource(Lamp, { path, derived: { heat: integer('热度') }, totals: ['volts', 'heta'] })
    // @ts-expect-error what is derived and not measured cannot be searched
    resource(Lamp, { path, derived: { heat: integer('热度') }, search: ['heat'] })
    // @ts-expect-error what is derived is not entered
    resource(Lamp, { path, derived: { heat: integer('热度') }, form: ['heat'] })
    // @ts-expect-error `tga` is no cell
    resource(Lamp, { path, columns: [{ field: 'name', as: 'tga' }] })
    // @ts-expect-error a cell is no input
    resource(Lamp, { path, form: [{ field: 'name', as: 'heat' }] })
    // @ts-expect-error `signuplgo` is no entity with rows below
    resource(Lamp, { path, children: { signuplgo: { label: '变更记录', by: 'signupId' } } })
    // @ts-expect-error rows below point here by a field of theirs
    resource(Lamp, { path, children: { signuplog: { label: '变更记录', by: 'singupId' } } })
    resource(Lamp, { path, children: { typecode: { label: '类别编码', by: 'examId', in: 'form' } } })
    // @ts-expect-error rows stand in the form or in the detail alone
    resource(Lamp, { path, children: { typecode: { label: '类别编码', by: 'examId', in: 'list' } } })
    // @ts-expect-error the tree hangs on a field
    resource(Lamp, { path, tree: { parent: 'parnet' } })
    // @ts-expect-error `loght` is neither searched nor a field
    resource(Lamp, { path, search: ['light'], searchBy: { loght: 'equal' } })
    // @ts-expect-error there is no such way to search
    resource(Lamp, { path, search: ['volts'], searchBy: { volts: 'betwen' } })
    // @ts-expect-error `nmae` is no filter
    resource(Lamp, { path, filters: ['nmae'] })
    // @ts-expect-error a second word stands for a field
    resource(Lamp, { path, names: { lightName: 'lihgt' } })
    // @ts-expect-error a second name stands for a field
    resource(Lamp, { path, aliases: { key: 'nmae' } })
    // @ts-expect-error choices carry fields
    resource(Lamp, { path, choices: ['nmae'] })
    // @ts-expect-error `insted` of what is not offered is a sentence about adding, editing or removing
    resource(Lamp, { path, instead: { delete: '不能删除' } })
    // @ts-expect-error 9 is no state that could be built in
    resource(Lamp, { path, sealed: { light: 9 } })
    // @ts-expect-error only fields decide what can be changed
    resource(Lamp, { path, editable: { ligth: 0 } })
    // @ts-expect-error only fields decide what can be removed
    resource(Lamp, { path, removable: { when: { ligth: 0 } } })
    // @ts-expect-error 9 is no state in which anything is removed
    resource(Lamp, { path, removable: { when: { light: 9 } } })
    // @ts-expect-error a refusal that there is not
    resource(Lamp, { path, removable: { when: { light: 0 }, refusal: 'row.wrnogState' } })
    // @ts-expect-error it says when, not only how others are refused
    resource(Lamp, { path, removable: { refusal: 'row.inUse' } })
    // @ts-expect-error an input is shown by a field
    resource(Lamp, { path, form: [{ field: 'volts', when: { ligth: 1 } }] })
    // @ts-expect-error an input is shown by a value of a field
    resource(Lamp, { path, form: [{ field: 'volts', when: { light: 'on' } }] })
    // @ts-expect-error an owner is told by a field
    resource(Lamp, { path, owner: { field: 'ownr', where: {}, fields: ['name'] } })
    // @ts-expect-error what is read by owners is said
    resource(Lamp, { path, owner: { field: 'owner', where: {} } })
    // @ts-expect-error owners read fields
    resource(Lamp, { path, owner: { field: 'owner', where: {}, fields: ['nmae'] } })
    // @ts-expect-error owners read rows in states that there are
    resource(Lamp, { path, owner: { field: 'owner', where: { light: 9 }, fields: ['name'] } })
    // @ts-expect-error a scope goes through a field
    resource(Lamp, { path, scope: through('ownr') })
    // @ts-expect-error a rule of the application looks at a field
    resource(Lamp, { path, scope: byExam('exmId', settings) })
  })

  test('in a view', () => {
    const lamp = resource(Lamp, {
      path,
      derived: { heat: integer('热度') },
      actions: { blink: { label: '闪', call: 'POST blink?id' } },
    })
    const lit = { title: '亮', route: '/lit' }
    view(lamp, 'lit', { ...lit, tabs: { light: [0, 1] }, columns: ['heat', 'owner.realName'], buttons: ['blink'] })
    // @ts-expect-error a view has an address
    view(lamp, 'lit', { title: '亮' })
    view(lamp, 'lit', { ...lit, tabs: { light: [0] }, main: ['blink', 'view'] })
    // @ts-expect-error `blnik` is no button of the resource
    view(lamp, 'lit', { ...lit, main: ['blnik'] })
    // @ts-expect-error `blnik` is no action of the resource
    view(lamp, 'lit', { ...lit, buttons: ['blnik'] })
    // @ts-expect-error 4 is no value of the state
    view(lamp, 'lit', { ...lit, tabs: { light: [1, 4] } })
    // @ts-expect-error a name has no words
    view(lamp, 'lit', { ...lit, tabs: { name: ['a'] } })
    // @ts-expect-error `lihgt` is no field
    view(lamp, 'lit', { ...lit, where: { lihgt: 1 } })
    // @ts-expect-error `heta` is neither a field nor derived
    view(lamp, 'lit', { ...lit, columns: ['heta'] })
    // @ts-expect-error rows are added to the resource
    view(lamp, 'lit', { ...lit, can: ['add'] })
    // @ts-expect-error `colums` is no word of a view
    view(lamp, 'lit', { ...lit, colums: ['name'] })
  })

  test('in an action', () => {
    // @ts-expect-error an action has a call
    resource(Lamp, { path, actions: { on: { label: '开' } } })
    // @ts-expect-error 9 is no state of the lamp
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', when: { light: 9 } } } })
    // @ts-expect-error nor is it one of the rows at which it stands
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?ids', on: 'rows', single: { light: 9 } } } })
    // @ts-expect-error `ligth` is no field to look at
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', when: { ligth: 0 } } } })
    // @ts-expect-error `nmae` is no field to ask for
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', input: ['nmae'] } } })
    // @ts-expect-error a dialog begins with fields of the row
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', begin: { to: 'nmae' } } } })
    // @ts-expect-error `confrim` is no word of an action
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', confrim: '确定?' } } })
    // @ts-expect-error the first person stands in a field
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', second: 'ownr' } } })
    // @ts-expect-error what is asked for is a field
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', ask: { reason: '原因' } } } })
    // @ts-expect-error what changes a state is a transition
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', set: { light: 1 } } } })
    // @ts-expect-error a button stands at a row, above selected rows or above the table
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', on: 'cell' } } })
  })
})

describe('in a transition', () => {
  const on = { label: '开', call: 'POST on?id', when: { light: 0 } } as const
  const set = { light: 1 } as const
  const nine = { ticketStatus: 9 } as const

  test('what does not compile', () => {
    // @ts-expect-error a transition sets something
    resource(Lamp, { path, transitions: { on } })
    // @ts-expect-error it says from where it goes
    resource(Lamp, { path, transitions: { on: { label: '开', call: 'POST on?id', set } } })
    // @ts-expect-error 9 is no state to go to
    resource(Lamp, { path, transitions: { on: { ...on, set: { light: 9 } } } })
    // @ts-expect-error `ligth` is no field to set
    resource(Lamp, { path, transitions: { on: { ...on, set: { ligth: 1 } } } })
    // @ts-expect-error `$nwo` is no word for a value
    resource(Lamp, { path, transitions: { on: { ...on, set: { name: 'x', volts: '$nwo' } } } })
    // @ts-expect-error 9 is no state to come from
    resource(Lamp, { path, transitions: { on: { ...on, when: { light: 9 }, set } } })
    // @ts-expect-error a guard is a sentence
    resource(Lamp, { path, transitions: { on: { ...on, set, guard: true } } })
    // @ts-expect-error a reason is a field to fill in
    resource(Lamp, { path, transitions: { on: { ...on, set, reason: true } } })
    // @ts-expect-error the name of the reason in the call is a text
    resource(Lamp, { path, transitions: { on: { ...on, set, reason: text('原因'), reasonAs: 1 } } })
    // @ts-expect-error what is said of rows that are left as they are is a sentence
    resource(Lamp, { path, transitions: { on: { ...on, set, skipped: true } } })
    // @ts-expect-error a history is kept unless it is said that it is not
    resource(Lamp, { path, transitions: { on: { ...on, set, log: true } } })
    const go = { ...on, set } as const
    const along = { by: 'itemId', set: { ticketStatus: 1 } } as const
    resource(Lamp, { path, transitions: { on: { ...go, along: { examinationticket: along } } } })
    // @ts-expect-error `examinationtiket` is no entity that could change along
    resource(Lamp, { path, transitions: { on: { ...go, along: { examinationtiket: along } } } })
    // @ts-expect-error tickets have no `itmId`
    resource(Lamp, { path, transitions: { on: { ...go, along: { examinationticket: { ...along, by: 'itmId' } } } } })
    // @ts-expect-error 9 is no state of a ticket
    resource(Lamp, { path, transitions: { on: { ...go, along: { examinationticket: { ...along, set: nine } } } } })
    // @ts-expect-error `guads` is no word of a transition
    resource(Lamp, { path, transitions: { on: { ...on, set, guads: '有电' } } })
  })
})

describe('refusals', () => {
  test('have the values that their text names', () => {
    expectTypeOf(refuse('signup.closed', { 时间: '09:00' })).toEqualTypeOf<Refusal>()
    expectTypeOf(refuse('review.taken', { 审核人: '张三', 时间: '09:00' })).toEqualTypeOf<Refusal>()
    expectTypeOf(refuse('row.notFound')).toEqualTypeOf<Refusal>()
    expectTypeOf(refuse('signup.invalid', {}, [{ field: 'name' }])).toEqualTypeOf<Refusal>()
    expectTypeOf(refuse(Math.random() > 0.5 ? 'row.notFound' : 'row.builtIn')).toEqualTypeOf<Refusal>()
    expectTypeOf<RefusalValue<'tickets.seatsShort'>>().toEqualTypeOf<'n' | 'm'>()
    expectTypeOf<RefusalCodes['signup']['closed']>().toEqualTypeOf<22002>()
  })

  test('do not compile otherwise', () => {
    // @ts-expect-error the text says until when
    refuse('signup.closed')
    // @ts-expect-error the text says until when
    refuse('signup.closed', {})
    // @ts-expect-error the text says 时间, not 时刻
    refuse('signup.closed', { 时刻: '09:00' })
    // @ts-expect-error the text says nothing of a reason
    refuse('signup.closed', { 时间: '09:00', 原因: '已截止' })
    // @ts-expect-error both values are in the text
    refuse('review.taken', { 审核人: '张三' })
    // @ts-expect-error the text takes no value
    refuse('row.notFound', { 时间: '09:00' })
    // @ts-expect-error one of the two needs its value
    refuse(Math.random() > 0.5 ? 'row.notFound' : 'signup.closed')
    // @ts-expect-error there is no refusal `signup.colsed`
    refuse('signup.colsed', { 时间: '09:00' })
    // @ts-expect-error a refusal has a name, not a number
    refuse(22002, { 时间: '09:00' })
    // @ts-expect-error there is no refusal `row.missing`
    isRefusal(new Error(), 'row.missing')
    // @ts-expect-error there is no refusal `row.missing`
    refuseSaying('row.missing', '没有')
    // @ts-expect-error an action refuses with a name
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', refusal: 29009 } } })
    // @ts-expect-error an action has no values for a text
    resource(Lamp, { path, actions: { on: { label: '开', call: 'POST on?id', refusal: 'signup.closed' } } })
    // @ts-expect-error every refusal has its English
    const table = { 'lamp.broken': [29999, 409, '灯坏了'] } as const satisfies RefusalTable<'lamp'>
    const other = {
      // @ts-expect-error the names of a table begin with its area
      'bulb.broken': [29999, 409, '灯坏了', 'The lamp is broken'],
    } as const satisfies RefusalTable<'lamp'>
    // @ts-expect-error every table is joined
    const all = { ...table, ...other } satisfies Refusals
    expectTypeOf(all).toBeObject()
  })
})

describe('events', () => {
  const whole = { label: '报名', to: ['owner'], opens: '/signup/mySignup/:id' } as const
  const en = 'There is a result.'

  test('say in their texts what they keep, and nothing else', () => {
    const { one } = events(signup, { one: { ...whole, fields: ['signNo'], text: { zh: '{exam}{signNo}有结果', en } } })
    expectTypeOf(one.fields).toEqualTypeOf<readonly 'signNo'[]>()
    // @ts-expect-error the number of a person is not kept with it
    events(signup, { one: { ...whole, fields: ['signNo'], text: { zh: '{idCard}有结果', en } } })
    // @ts-expect-error nor in English
    events(signup, { one: { ...whole, text: { zh: '有结果', en: '{idCard} has a result' } } })
    // @ts-expect-error sign-ups have no `idCrad`
    events(signup, { one: { ...whole, fields: ['idCrad'], text: { zh: '有结果', en } } })
    // @ts-expect-error nobody is called `everybody`
    events(signup, { one: { ...whole, to: ['everybody'], text: { zh: '有结果', en } } })
  })

  test('are kept in the transaction of what has happened, with their facts', () => {
    const [trx, live] = [null as unknown as LiveTrx, null as unknown as Live]
    const row = { id: '1', examId: '2', signNo: '3' }
    const { one } = events(signup, {
      one: { ...whole, fields: ['signNo'], data: { until: dateTime('截止') }, text: { zh: '{until}前有结果', en } },
    })
    const told = () => emit(trx, one, [row], { until: new Date() })
    // @ts-expect-error what has happened and its event are kept together or not at all
    const outside = () => emit(live, one, [row], { until: new Date() })
    // @ts-expect-error until when is missing
    const factless = () => emit(trx, one, [row])
    // @ts-expect-error it keeps the number of the sign-up
    const partial = () => emit(trx, one, [{ id: '1', examId: '2' }], { until: new Date() })
    expectTypeOf([told, outside, factless, partial]).toBeArray()
  })
})

describe('live and raw handles', () => {
  const live = null as unknown as Live
  const raw = null as unknown as Reader
  const takesLive = (_db: Live) => {}
  const takesRaw = (_db: Reader) => {}
  const takesTrx = (_trx: Trx) => {}

  test('a live handle has no tenant and no deletion, and stamps that are read only', () => {
    // @ts-expect-error the handle knows the tenant
    live.selectFrom('signup').where('tenantId', '=', '000000')
    // @ts-expect-error the handle knows what is removed
    live.selectFrom('signup').where('isDeleted', '=', 0)
    // @ts-expect-error a column of another tenant's rows is none
    live.selectFrom('signup').select('tenantId')
    // @ts-expect-error the handle stamps
    live.updateTable('signup').set({ updateUser: '1' })
    const made = { name: 'x', createTime: new Date() }
    // @ts-expect-error also in an object that was made elsewhere
    live.updateTable('signup').set(made)
    // @ts-expect-error the handle knows the tenant
    live.insertInto('notifyread').values({ tenantId: '1', noticeId: '1', userId: '1', sureState: 0 })
    live.insertInto('notifyread').values({ noticeId: '1', userId: '1', sureState: 0 })
    const row = live.selectFrom('signup').select(['createTime', 'updateUser']).executeTakeFirstOrThrow()
    expectTypeOf(row).resolves.toEqualTypeOf<{ createTime: Date; updateUser: string | null }>()
    const all = live
      .selectFrom(withRemoved('user as u'))
      .select(['u.realName', 'u.isDeleted'])
      .executeTakeFirstOrThrow()
    expectTypeOf(all).resolves.toEqualTypeOf<{ realName: string; isDeleted: number }>()
    // @ts-expect-error no table is called so
    withRemoved('usr')
    live.selectFrom('tenant').where('tenantId', '=', '000000')
  })

  test('a condition compares a column with what it holds', () => {
    live.selectFrom('signup').where('name', 'in', ['x', 'y']).where('signup.finalCode', '=', null)
    // @ts-expect-error a name is text
    live.selectFrom('signup').where('name', '=', 1)
    // @ts-expect-error a state is one of its dictionary
    live.selectFrom('signup as s').where('s.signStatus', 'in', [77])
    // @ts-expect-error no column is called so
    live.selectFrom('signup as s').where('s.nmae', '=', 'x')
    // @ts-expect-error the table is not in the statement
    live.selectFrom('signup as s').where('signup.name', '=', 'x')
    const either = '' as 's.name' | 's.nmae'
    // @ts-expect-error one of the two is no column
    live.selectFrom('signup as s').where(either, 'is', null)
    live.selectFrom('signup').where(eb => eb.or([eb('name', '=', 'x'), eb('signup.finalCode', 'is', null)]))
    // @ts-expect-error a name is text
    live.selectFrom('signup').where(eb => eb('name', '=', 1))
    // @ts-expect-error no column is called so
    live.selectFrom('signup').where(eb => eb('nmae', 'is', null))
    // @ts-expect-error it compares by no such word
    live.selectFrom('signup').where('name', 'equals', 'x')
    // @ts-expect-error a name is text
    live.updateTable('signup').set({ sex: 1 }).where('signup.name', '=', 1)
    // @ts-expect-error a name is text
    live.deleteFrom('signup').where('name', '=', 1)
    const joined = live.selectFrom('signup as s').innerJoin('examination as e', join =>
      // @ts-expect-error a name is text
      join.onRef('e.id', '=', 's.examId').on('e.examName', '=', 1),
    )
    // @ts-expect-error a name is text
    joined.select(eb => eb.fn.count<string>('s.id').filterWhere('s.name', '=', 1).as('n'))
  })

  test('one is not taken for the other', () => {
    takesLive(live)
    takesRaw(raw)
    // @ts-expect-error it limits
    takesRaw(live)
    // @ts-expect-error it does not limit
    takesLive(raw)
    void live.transaction().execute(async trx => {
      takesLive(trx)
      // @ts-expect-error a transaction limits as its handle does
      takesTrx(trx)
    })
    void raw.transaction().execute(async trx => {
      takesTrx(trx)
      // @ts-expect-error a transaction limits as its handle does
      takesLive(trx)
      const whose = { tenantId: '1', userId: null, now: () => new Date() }
      expectTypeOf(liveFor(trx, whose)).toEqualTypeOf<LiveTrx>()
      expectTypeOf(liveFor(raw, whose)).toEqualTypeOf<Live>()
    })
  })

  test('a handle across tenants shows whose rows are, and wants to know it of new ones', () => {
    const across = null as unknown as Across
    const row = across.selectFrom('notifyread').select(['tenantId', 'noticeId']).executeTakeFirstOrThrow()
    expectTypeOf(row).resolves.toEqualTypeOf<{ tenantId: string; noticeId: string }>()
    across.insertInto('notifyread').values({ tenantId: '1', noticeId: '1', userId: '1', sureState: 0 })
    // @ts-expect-error whose is it?
    across.insertInto('notifyread').values({ noticeId: '1', userId: '1', sureState: 0 })
    // @ts-expect-error a row stays its tenant's
    across.updateTable('notifyread').set({ tenantId: '1' })
    // @ts-expect-error the handle knows what is removed
    across.selectFrom('notifyread').where('isDeleted', '=', 0)
    // @ts-expect-error it meets the rows of all tenants
    takesLive(across)
    // @ts-expect-error it limits
    takesRaw(across)
    void across.transaction().execute(async trx => {
      expectTypeOf(trx).toEqualTypeOf<AcrossTrx>()
      expectTypeOf(liveFor(trx, { tenantId: '1', userId: null, now: () => new Date() })).toEqualTypeOf<LiveTrx>()
      expectTypeOf(liveAcross(live, { now: () => new Date() })).toEqualTypeOf<Across>()
    })
  })

  test('an UPDATE without stamps writes what others write, and no stamps', () => {
    updateUnstamped(live, 'notice').set({ readNum: 1 }).where('id', '=', '1')
    // @ts-expect-error the column is a number
    updateUnstamped(live, 'notice').set({ readNum: 'x' })
    // @ts-expect-error it leaves the stamps as they are
    updateUnstamped(live, 'notice').set({ updateTime: new Date() })
  })

  test('a table of a tenant that is no entity has none to be said', () => {
    live.insertInto('start_step').values({ code: 'site', userId: '1', time: new Date() })
    // @ts-expect-error the handle knows the tenant
    live.selectFrom('start_step').where('tenantId', '=', '000000')
    raw.selectFrom('start_step').where('tenantId', '=', '000000')
  })
})
