import { describe, expect, test } from 'vitest'
import {
  ageOn,
  anyOf,
  birthdayOf,
  cases,
  check,
  entity,
  formSchema,
  idCardProblem,
  image,
  integer,
  mask,
  matches,
  missingMessage,
  optional,
  permissionsOf,
  phoneProblem,
  type Resource,
  readCall,
  readFilter,
  ref,
  resource,
  scope,
  sealed,
  secret,
  sexOf,
  state,
  submitSchema,
  text,
  through,
  type View,
  view,
  when,
  wide,
} from '#engine'
import { examStatus } from '#schemas/dictionaries'

describe('national ID number: five checks in their order', () => {
  test.each([
    [null, '证件号码不能为空'],
    ['  ', '证件号码不能为空'],
    ['35010219900101', '证件号码长度不为18位'],
    ['3501021990010123456', '证件号码长度不为18位'],
    ['35010219900101A234', '证件号码格式错误'],
    ['X50102199001011234', '证件号码格式错误'],
    ['350102199002301234', '证件号码格式错误'],
    ['990102199001011234', '地址编码错误'],
    ['350102199001011234', '证件号码校验位错误'],
    ['11010519491231002X', null],
    ['11010519491231002x', null],
    ['440524188001010014', null],
  ])('%s → %s', (value, problem) => expect(idCardProblem(value)).toBe(problem))

  test('tells sex and birthday', () => {
    expect(sexOf('11010519491231002X')).toBe(2)
    expect(sexOf('440524188001010014')).toBe(1)
    expect(birthdayOf('11010519491231002X')).toBe('1949-12-31')
  })
})

describe('phone', () => {
  test.each([
    ['', '手机号码不能为空'],
    ['1381234567', '手机号码长度不为11位'],
    ['12812345678', '手机号码格式错误'],
    ['13812345678', null],
  ])('%s → %s', (value, problem) => expect(phoneProblem(value)).toBe(problem))
})

test.each([
  ['1990-05-20', '2026-05-19', 35],
  ['1990-05-20', '2026-05-20', 36],
  ['2000-02-29', '2026-02-28', 25],
])('born %s is on %s %i', (born, day, age) => expect(ageOn(born, day)).toBe(age))

test('masks', () => {
  expect(mask.idCard('350102199001011234')).toBe('350102********1234')
  expect(mask.phone('13812345678')).toBe('138****5678')
})

describe('conditions', () => {
  test.each([
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 2 }, { a: 1 }, false],
    [{ a: 2 }, { a: [1, 2] }, true],
    [{ a: 2 }, { a: { not: 2 } }, false],
    [{ a: 3 }, { a: { not: [1, 2] } }, true],
    [{}, { a: null }, true],
    [{ a: '' }, { a: null }, true],
    [{ a: 0 }, { a: null }, false],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [{ a: 1 }, undefined, true],
  ])('%j meets %j: %s', (row, condition, answer) => expect(matches(row, condition)).toBe(answer))
})

test.each([
  ['createTime_dategt', { field: 'createTime', suffix: '_dategt' }],
  ['examName', { field: 'examName', suffix: '' }],
  ['oauth_id', { field: 'oauth_id', suffix: '' }],
  ['oauth_id_like', { field: 'oauth_id', suffix: '_like' }],
  ['_like', { field: '_like', suffix: '' }],
])('filter %s', (key, read) => expect(readFilter(key)).toEqual(read))

test('calls', () => {
  expect(readCall('POST changeStatus?id,status')).toEqual({
    method: 'POST',
    path: 'changeStatus',
    params: ['id', 'status'],
  })
  expect(readCall('GET page')).toEqual({ method: 'GET', path: 'page', params: [] })
})

const Lamp = entity('lamp', '灯', {
  name: text('名称'),
  key: secret('钥匙'),
  level: text('档位', { default: '1' }),
  light: state('状态', examStatus),
})

const on = { label: '开', call: 'POST on?id', when: { light: 0 }, set: { light: 1 } } as const

describe('schemas of a body and of a form', () => {
  test('states are in neither', () => {
    expect(Object.keys(submitSchema(Lamp, 'add').properties)).toEqual(['name', 'key', 'level'])
    expect(Object.keys(formSchema(resource(Lamp, { path: '/lamp' })).properties)).toEqual(['name', 'level'])
  })

  test('a new row needs what has no default, a change nothing', () => {
    expect(submitSchema(Lamp, 'add').required).toEqual(['name', 'key'])
    expect(submitSchema(Lamp, 'edit').required).toEqual([])
  })

  test('messages say whether to type or to choose', () => {
    expect(missingMessage(Lamp.properties.name)).toBe('请输入名称')
    expect(missingMessage(Lamp.properties.light)).toBe('请选择状态')
  })
})

test('permissions come once each, the generated before the actions', () => {
  const lamp = resource(Lamp, {
    path: '/lamp',
    can: ['view', 'remove'],
    actions: { on: { label: '开', call: 'POST on?id' }, off: { label: '关', call: 'POST off?id', code: 'on' } },
  })
  expect(permissionsOf(lamp).map(one => one.code)).toEqual(['lamp_view', 'lamp_delete', 'lamp_on'])
})

const broken = entity('broken', '坏', { name: text('名称'), lamp: ref('灯', 'lmap' as never) })

test('an action is taken back by another one of the same rows, which begins at once', () => {
  const undone = (call: 'POST off?id' | 'POST off?ids', seconds = 10) =>
    check([
      resource(Lamp, {
        path: '/a',
        transitions: {
          on: { ...on, done: '好了', undo: { call, seconds } },
          off: { ...on, call: 'POST off?ids', on: 'rows', input: ['name'] },
        },
      }),
    ])
  const at = 'resources: lamp: action on'
  expect(undone('POST off?id')).toEqual([
    `${at} says done without «{{name}}»`,
    `${at} is undone by «POST off?id», which is no call of another action`,
  ])
  expect(undone('POST off?ids', 100).slice(1)).toEqual([
    `${at} is undone by «POST off?ids», which is not for the same rows`,
    `${at} is undone by «POST off?ids», which asks for something`,
    `${at} can be undone for 100 seconds, not 1 to 60`,
  ])
})

describe('check() names the definition and the field', () => {
  const hall = entity('hall', '厅', { lampId: ref('灯', 'lamp' as never) })
  test.each([
    [[resource(broken, { path: '/b' })], 'broken.lamp refers to «lmap»'],
    [
      [
        resource(Lamp, { path: '/a' }),
        resource(
          entity('hall', '厅', {
            lamp: text('灯', { codeOf: { entity: 'lamp' as never, by: 'name', within: 'site' } }),
          }),
          { path: '/h' },
        ),
      ],
      'hall.lamp is a code of «lamp» within «site», which hall does not have',
    ],
    [
      [
        resource(
          entity('hall', '厅', { lamp: text('灯', { codeOf: { entity: 'lmap' as never, by: 'a', within: 'b' } }) }),
          {
            path: '/h',
          },
        ),
      ],
      'hall.lamp is a code of «lmap», of which there is no list',
    ],
    [
      [
        resource(Lamp, { path: '/a' }),
        resource(entity('hall', '厅', { lamp: ref('灯', 'lamp' as never, { within: 'site' }) }), { path: '/h' }),
      ],
      'hall.lamp is within «site», which hall does not have',
    ],
    [
      [
        resource(Lamp, { path: '/a', can: ['view', 'add'] }),
        resource(entity('hall', '厅', { lampId: ref('灯', 'lamp' as never, { onRemove: 'with' }) }), { path: '/h' }),
      ],
      'schemas: hall.lampId goes with lamp, whose rows are not removed one by one',
    ],
    [
      [
        resource(entity('room', '间', { hallId: ref('厅', 'hall' as never, { onRemove: 'with' }) }), { path: '/r' }),
        resource(entity('hall', '厅', { roomId: ref('间', 'room' as never, { onRemove: 'with' }) }), { path: '/h' }),
      ],
      'schemas: hall.roomId goes with room, which goes with hall itself',
    ],
    [[resource(Lamp, { path: '/a' }), resource(Lamp, { path: '/a' })], 'path «/a» is used twice'],
    [[resource(Lamp, { path: '/a', children: { bulb: { label: '子', by: 'lampId' } } as never })], 'names «bulb»'],
    [
      [resource(entity('line', '行', { no: text('号', { unique: true }) }, { partition: 'month' }), { path: '/l' })],
      'line is cut by month, where «no» cannot be unique',
    ],
    [[resource(Lamp, { path: '/a', search: ['key'] })], 'a secret cannot be searched'],
    [
      [resource(Lamp, { path: '/a', find: ['light'] })],
      'find names «light», which is not found by a text that is typed',
    ],
    [
      [resource(Lamp, { path: '/a', find: ['name'], foundThrough: { type: 'name', ids: 'name', of: ['lamps'] } })],
      'foundThrough names «lamps», whose list has nothing that it is found by',
    ],
    [[resource(Lamp, { path: '/a', views: { 红: { light: 9 as never } } })], 'view 红 has «light» as 9'],
    [[resource(Lamp, { path: '/a', views: { 红: { lihgt: 1 } as never } })], 'view 红 names «lihgt»'],
    [[resource(Lamp, { path: '/a', views: { ' ': {} } })], 'resources: lamp: a view has no name'],
    [[resource(Lamp, { path: '/a', views: { 键: { key: 'x' } } })], 'view 键 looks at «key», which is secret'],
    [
      [resource(Lamp, { path: '/a', views: { 今天: { name: { since: '$today' } as never } } })],
      'view 今天 asks since when «name» is, which is no time',
    ],
    [
      [resource(Lamp, { path: '/a', views: { 红: { light: 1 } }, todos: { 绿: { label: '绿灯' } } })],
      'todos name «绿», which is none of its views',
    ],
    [
      [resource(Lamp, { path: '/a', views: { 红: {} }, todos: { 红: { label: '红灯', since: 'name' } } })],
      'todos count 红 since «name», which is no time',
    ],
    [
      [resource(Lamp, { path: '/a', views: { 红: {} }, todos: { 红: { label: '红灯', overdue: { key: 'x' } } } })],
      'overdue of 红 looks at «key», which is secret',
    ],
    [
      [resource(Lamp, { path: '/a', views: { 今天: { createTime: { since: '$today-x' as never } } } })],
      'view 今天 says «$today-x», which is no day',
    ],
    [
      [resource(Lamp, { path: '/a', views: { 旧: { createTime: { before: '$tomorrow' as never } } } })],
      'view 旧 says «$tomorrow», which is no day',
    ],
    [
      [resource(Lamp, { path: '/a', views: { 亮: { light: { atLeast: 'name' } } } })],
      'view 亮 compares «name», which is no number',
    ],
    [
      [resource(Lamp, { path: '/a', derived: { heat: integer('热度') }, views: { 热: { heat: 1 } } })],
      'view 热 names «heat», which lamp does not have',
    ],
    [
      [resource(Lamp, { path: '/a', derived: { glow: text('光') }, measured: ['glow'] })],
      'measured names «glow», which is no derived number',
    ],
    [
      [resource(Lamp, { path: '/a', main: ['import'] })],
      'main names «import», which is neither an action nor what it can',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          actions: { all: { label: '全', call: 'POST all?ids', on: 'rows' } },
          main: ['all'],
        }),
      ],
      'main names «all», which does not stand at a row',
    ],
    [[resource(Lamp, { path: '/a', columns: [{ field: 'name', with: ['nmae' as never] }] })], 'columns names «nmae»'],
    [
      [resource(Lamp, { path: '/a', columns: ['light', { field: 'name', with: ['light'] }] })],
      'columns show «light» twice',
    ],
    [[resource(Lamp, { path: '/a', form: ['light'] })], 'form offers «light»'],
    [
      [
        resource(Lamp, { path: '/a', children: { hall: { label: '厅', by: 'lampId', in: 'form' } } as never }),
        resource(hall, { path: '/h', can: ['view'] }),
      ],
      'resources: lamp: the form holds hall, whose rows are not entered one by one',
    ],
    [
      [
        resource(hall, { path: '/h', children: { lamp: { label: '灯', by: 'light', in: 'form' } } as never }),
        resource(Lamp, { path: '/a' }),
      ],
      'resources: hall: the form holds lamp, whose «light» the server fills',
    ],
    [
      [
        resource(hall, { path: '/h', children: { lamp: { label: '灯', by: 'name', in: 'form' } } as never }),
        resource(Lamp, { path: '/a', form: ['name', 'key'] }),
      ],
      'resources: hall: the form holds lamp, of which lists do not show «key»',
    ],
    [
      [resource(Lamp, { path: '/a' }), resource(hall, { path: '/h', columns: ['lamp.nmae' as never] })],
      'resources: hall: columns names «lamp.nmae», which leads to no field of another entity',
    ],
    [
      [resource(Lamp, { path: '/a' }), resource(hall, { path: '/h', columns: ['lamp.key' as never] })],
      'resources: hall: columns names «lamp.key», which never leaves the server',
    ],
    [
      [resource(Lamp, { path: '/a' }), resource(hall, { path: '/h', search: ['lamp.name' as never] })],
      'resources: hall: search names «lamp.name», which the list of lamp itself is not searched by',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, call: 'POST on' } } })],
      'transition on takes neither id nor ids',
    ],
    [[resource(Lamp, { path: '/a', transitions: { on: { ...on, label: ' ' } } })], 'transition on has no label'],
    [[resource(Lamp, { path: '/a', transitions: { on: { ...on, set: {} } } })], 'transition on sets nothing'],
    [[resource(Lamp, { path: '/a', transitions: { submit: on } })], 'has the name of an event that every resource has'],
    [
      [resource(Lamp, { path: '/a', transitions: { on }, actions: { on: { label: '亮', call: 'POST glow?id' } } })],
      'transition on has the name of an action',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, set: { light: 1, name: '$reason' } } } })],
      'transition on writes a reason that it does not ask for',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, reason: text('原因') } } })],
      'transition on asks for a reason that nothing keeps',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, reasonAs: 'remark' } } })],
      'transition on names a reason that it does not ask for',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          transitions: { on: { ...on, ask: { why: text('原因') }, reason: text('原因'), reasonAs: 'why' } },
        }),
      ],
      'transition on asks for «why» twice',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, skipped: '已开' } } })],
      'transition on says of skipped rows what nobody asks of one',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, on: 'rows', skipped: '已开', num: 'rows' } } })],
      'transition on answers both a number and a list of rows',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          transitions: { on: { ...on, call: 'POST turn?id,light=1' }, off: { ...on, call: 'POST turn?id' } },
        }),
      ],
      'action off fixes no value that tells its call from that of on',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, set: { light: 9 } as never } } })],
      'transition on: set has «light» as 9, which is none of its values',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, set: { lit: '$now' } as never } } })],
      'transition on: set names «lit», which lamp does not have',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, along: { bulb: { by: 'a', set: {} } } as never } } })],
      'along names «bulb», which is no entity',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          transitions: { on: { ...on, along: { lamp: { by: 'name', set: {} } } as never } },
        }),
      ],
      'along points by «name», which does not refer to lamp',
    ],
    [
      [resource(Lamp, { path: '/a', transitions: { on: { ...on, num: 'examinationticket' } } })],
      'counts «examinationticket», which does not change along',
    ],
    [
      [resource(Lamp, { path: '/a', actions: { on: { label: '开', call: 'POST on?id', begin: { to: 'name' } } } })],
      'begins with «to», which it does not ask for',
    ],
    [
      [resource(Lamp, { path: '/a', actions: { on: { label: '开', call: 'POST on?id', single: false } } })],
      'action on says at which single rows it stands, but it is on no selected rows',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          actions: { all: { label: '全', call: 'POST all?ids', on: 'rows', single: { light: 9 } as never } },
        }),
      ],
      'action all: single',
    ],
    [
      [resource(Lamp, { path: '/a', actions: { on: { label: '开', call: 'POST on?id', leads: '/light/:id' } } })],
      'action on leads to «/light/:id», but answers no «id»',
    ],
    [[resource(Lamp, { path: '/a', order: { by: 'name' } })], 'order by «name», which is no whole number'],
    [[resource(Lamp, { path: '/a', order: { by: 'light' }, sort: 'name' })], 'but the list is sorted by «name»'],
    [[resource(Lamp, { path: '/a', order: { by: 'light' }, can: ['view'] })], 'order of rows that are not edited'],
    [
      [resource(Lamp, { path: '/a', form: ['name'], bulk: ['light'] })],
      'bulk names «light», which the form does not edit',
    ],
    [[resource(Lamp, { path: '/a', bulk: ['name', 'name'] })], 'bulk names «name» twice'],
    [[resource(Lamp, { path: '/a', bulk: ['name'], can: ['view', 'add'] })], 'bulk of rows that are not edited'],
    [
      [resource(Lamp, { path: '/a', bulk: ['name'], actions: { on: { label: '开', call: 'POST change?id,on=1' } } })],
      'bulk has the call «POST change», which an action has',
    ],
    [
      [
        resource(entity('torch', '火炬', { name: text('名', { unique: true }) }), {
          path: '/a',
          bulk: ['name'] as never,
        }),
      ],
      'bulk names «name», which no two rows share',
    ],
    [[resource(Lamp, { path: '/a', derived: { name: text('名') } })], 'derived names «name», which is stored'],
    [
      [resource(Lamp, { path: '/a', totals: ['name'] })],
      'totals names «name», which is neither a whole number nor an amount',
    ],
    [
      [resource(Lamp, { path: '/a', derived: { heat: text('热度') }, totals: ['heat'] })],
      'totals names «heat», which is neither a whole number nor an amount',
    ],
    [
      [resource(Lamp, { path: '/a', actions: { on: { label: '开', call: 'POST remove?ids' } } })],
      'resources: lamp: action on has the call of remove',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          actions: { on: { label: '开', call: 'POST turn?id' }, off: { label: '关', call: 'POST turn?id' } },
        }),
      ],
      'resources: lamp: action off has the call of on',
    ],
    [
      [
        resource(Lamp, {
          path: '/a',
          actions: { on: { label: '开', call: 'POST on?id', input: ['name'], ask: { name: text('名') } } },
        }),
      ],
      'resources: lamp: action on asks for «name» twice',
    ],
    [
      [
        resource(entity('line', '行', { no: text('号') }, { uniques: [{ fields: ['no'], where: { sort: 1 } }] }), {
          path: '/l',
        }),
      ],
      'schemas: line: a unique rule names «sort», which line does not have',
    ],
    [
      [resource(Lamp, { path: '/a', scope: cases(when({ light: 9 }, wide('all'))) })],
      'resources: lamp: a case of its scope has «light» as 9, which is none of its values',
    ],
    [
      [resource(Lamp, { path: '/a', editable: { lihgt: 1 } as never })],
      'resources: lamp: editable names «lihgt», which lamp does not have',
    ],
    [
      [resource(Lamp, { path: '/a', removable: { when: { lihgt: 1 } as never } })],
      'resources: lamp: removable names «lihgt», which lamp does not have',
    ],
    [
      [resource(Lamp, { path: '/a', form: [{ field: 'name', when: { key: '1' } }, 'key'] })],
      'resources: lamp: the input «name» is hidden at times, but the field is always required',
    ],
    [
      [
        resource(
          entity('line', '行', { no: text('号'), end: optional(text('止')) }, { requiredWhen: { end: { no: '1' } } }),
          { path: '/l', form: ['end'] },
        ),
      ],
      'resources: line: the input «end» is shown by «no», which the form does not have',
    ],
    [
      [
        resource(
          entity(
            'line',
            '行',
            { no: text('号'), end: optional(text('止')) },
            { requiredWhen: { end: { on: 1 } as never } },
          ),
          { path: '/l', form: ['no'] },
        ),
      ],
      'schemas: line: requiredWhen of end names «on», which line does not have',
    ],
    [
      [
        resource(Lamp, { path: '/a', route: '/lamp' }),
        resource(entity('hall', '厅', { name: text('名') }), { path: '/h', route: '/lamp' }),
      ],
      'resources: screen «/lamp» is used twice',
    ],
  ])('problem %#', (resources, sentence) => expect(check(resources).join('\n')).toContain(sentence))
})

describe('check() asks how long personal data are kept', () => {
  const keep = { from: 'archive', months: 24, then: 'blank', ground: '备查' } as const
  const problemsOf = (options: object, fields: object = {}) => {
    const Card = entity('card', '证', { idCard: sealed('证件号码'), ...fields } as never, options as never)
    return check([resource(Card as never, { path: '/x/card' } as never)]).filter(one => one.startsWith('schemas: card'))
  }

  test('of sealed texts, pictures and files', () => {
    expect(problemsOf({}, { photo: image('照片', { keep }) })).toEqual([
      'schemas: card.idCard is sealed, and nothing says how long it is kept (keep)',
    ])
    expect(problemsOf({ keep }, { photo: image('照片') })).toEqual([])
  })

  test('of rows about persons with what they are for', () => {
    expect(problemsOf({ about: 'idCard', keep })).toEqual([
      'schemas: card is about «idCard», which leads to nobody',
      'schemas: card is about somebody without purpose and keep',
    ])
    expect(problemsOf({ about: 'id', purpose: '报名', keep, personal: ['name'] })).toEqual([
      'schemas: card: personal names «name», which is no field',
    ])
  })

  test('with whole months and a ground', () => {
    expect(problemsOf({ keep: { ...keep, months: 0, ground: ' ' } })).toEqual([
      'schemas: card is kept for 0 months',
      'schemas: card is kept without a ground',
    ])
  })
})

describe('check() looks at views', () => {
  const lamp = resource(Lamp, { path: '/a', route: '/lamp' })
  const other = { title: '亮', route: '/lit', where: { light: 1 } } as const
  const problems = (...views: readonly View[]) => check([lamp], views).join('\n')

  test('nothing is wrong with a view of its own address, permission and rows', () =>
    expect(check([lamp], [view(lamp, 'lit', other)])).toEqual([]))

  test.each([
    [view(lamp, 'lit', { ...other, route: '/lamp' }), 'resources: screen «/lamp» is used twice'],
    [view(lamp, 'lit', { ...other, code: 'lamp' }), 'resources: permission code «lamp» is used twice'],
    [
      view(lamp, 'lit', { ...other, where: { light: 9 as never } }),
      'where has «light» as 9, which is none of its values',
    ],
    [view(lamp, 'lit', { title: '亮', route: '/lit' }), 'resources: lamp.lit: shows all rows: say «where» or «tabs»'],
    [
      view(lamp, 'lit', { title: '亮', route: '/lit', tabs: { name: ['a'] } as never }),
      'tabs by «name», whose values have no words',
    ],
    [view(lamp, 'lit', { ...other, columns: ['nmae' as never] }), 'resources: lamp.lit: columns names «nmae»'],
    [
      view(resource(broken, { path: '/b' }), 'one', { title: '坏', route: '/b', where: { name: 'x' } }),
      'is a view of «broken», which stands in no menu',
    ],
  ])('problem %#', (one, sentence) => expect(problems(one)).toContain(sentence))

  test('two of one address', () =>
    expect(problems(view(lamp, 'lit', other), view(lamp, 'more', other))).toContain('screen «/lit» is used twice'))
})

describe('check() asks who meets rows', () => {
  const byHall = scope<Record<string, never>>('hall', 'hall')
  const hall = resource(entity('hall', '厅', { name: text('名称') }), { path: '/h', scope: byHall('id', {}) })
  const Row = entity('row', '排', { hallId: ref('厅', 'hall' as never), no: text('号') })
  const Seat = entity('seat', '座', { rowId: ref('排', 'row' as never), userId: text('人'), no: text('号') })
  const row = resource(Row, { path: '/r', scope: byHall('hallId', {}) })
  const problems = (...list: readonly Resource[]) => check([hall, ...list])

  test.each([
    [[resource(Row, { path: '/r' })], 'row: has no scope, but «hallId» refers to hall'],
    [[row, resource(Seat, { path: '/s' })], 'seat: has no scope, but «rowId» refers to row'],
    [
      [row, resource(Seat, { path: '/s', scope: through('no') })],
      'seat: scope goes through «no», which leads to no resource',
    ],
    [
      [row, resource(Seat, { path: '/s', scope: byHall('rowId', {}) })],
      'seat: scope names «rowId», which does not refer to hall',
    ],
    [[row, resource(Seat, { path: '/s', scope: wide(' ') })], 'seat: scope is wide without a reason'],
    [
      [row, resource(Seat, { path: '/s', scope: through('rowId', { key: 'code' }) })],
      'seat: scope looks for «code», which row does not have',
    ],
    [
      [row, resource(Seat, { path: '/s', scope: cases(when({ no: 'A' }, through('rowID' as 'rowId'))) })],
      'seat: scope names «rowID», which seat does not have',
    ],
    [
      [row, resource(Seat, { path: '/s', scope: through('rowId'), owner: 'userId' as never })],
      'seat: owner does not say what its owner reads',
    ],
    [
      [row, resource(Seat, { path: '/s', scope: through('rowId'), owner: { field: 'userId', where: {}, fields: [] } })],
      'seat: owner does not say what its owner reads',
    ],
    [
      [
        row,
        resource(Seat, {
          path: '/s',
          scope: through('rowId'),
          owner: { field: 'userId', where: {}, fields: ['number' as 'no'] },
        }),
      ],
      'seat: owner names «number», which seat does not have',
    ],
  ])('problem %#', (list, sentence) => expect(problems(...list).join('\n')).toContain(sentence))

  test('and is content when everything says so', () => {
    const owner = { field: 'userId', where: { no: { not: '' } }, fields: ['no'] } as const
    expect(problems(row, resource(Seat, { path: '/s', scope: through('rowId'), owner }))).toEqual([])
    expect(problems(row, resource(Seat, { path: '/s', scope: wide('seats are on the plan in the hall') }))).toEqual([])
    expect(
      problems(row, resource(Seat, { path: '/s', scope: anyOf(wide('ushers', ['usher']), through('rowId')) })),
    ).toEqual([])
  })
})
