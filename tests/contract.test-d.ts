import { describe, expectTypeOf, test } from 'vitest'
import {
  type AnswerOf,
  type CallOf,
  callOf,
  count,
  dateTime,
  dict,
  dictionary,
  download,
  endpoint,
  entity,
  group,
  id,
  list,
  maybe,
  optional,
  pageOf,
  pick,
  type ReplyOf,
  resource,
  sometimes,
  structured,
  text,
  tree,
  type ValuesOf,
  words,
} from '#engine'
import type { Derived } from '../src/crud/rules.ts'
import { jsonText, type Sent, type Serving } from '../src/platform/http/server/serve.ts'

const light = dictionary('light', '信号', { red: [0, '红'], green: [1, '绿'] })
const Lamp = entity('lamp', '灯', {
  name: text('名称', { maxLength: 20 }),
  light: dict('信号', light),
  lit: optional(dateTime('点亮时间')),
})
const lamps = endpoint('lamp.all', 'GET /blade-test/lamp/all', {
  title: '灯',
  access: ['lamp'],
  query: { room: id('房间'), step: sometimes(words('步长', 'day', 'hour')), size: optional(count('条数')) },
  answer: group({
    ...pick(Lamp, 'name', 'light', 'lit').of,
    most: maybe(pick(Lamp, 'name')),
    pages: pageOf(pick(Lamp, 'light')),
    hint: sometimes(text('提示')),
  }),
})
const switchOn = endpoint('lamp.on', 'POST /blade-test/lamp/on', {
  title: '开灯',
  access: 'staff',
  query: { id: id('灯') },
  body: { times: list(dateTime('时刻'), { max: 3 }) },
})
const sheet = endpoint('lamp.sheet', 'GET /blade-test/lamp/sheet', {
  title: '灯',
  access: 'staff',
  query: {},
  answer: download('xlsx'),
})

const rooms = endpoint('lamp.rooms', 'GET /blade-test/lamp/rooms', {
  title: '房间',
  access: 'staff',
  answer: list(tree('LampRoom', { id: id('房间'), floor: sometimes(count('楼层')) })),
})
const lampResource = resource(Lamp, {
  path: '/blade-test/lamp',
  derived: { heat: count('热度'), rays: structured('光', list(group({ nm: count('波长'), since: dateTime('时间') }))) },
  actions: {
    blink: { label: '闪', call: 'POST blink?id', input: ['lit'], ask: { times: count('次数') } },
    test: { label: '试', call: 'POST test?id', answer: group({ volts: count('电压') }) },
  },
  transitions: {
    on: {
      label: '开',
      call: 'POST on?ids,light=1',
      when: { light: 0 },
      set: { light: 1 },
      ask: { group: count('组') },
    },
  },
})
const detail = callOf(lampResource, 'detail')
const page = callOf(lampResource, 'page')
const tested = callOf(lampResource, 'test')

describe('what a contract gives', () => {
  test('a page gets its answer as it travels', () => {
    type Answer = AnswerOf<typeof lamps>
    expectTypeOf<Answer['name']>().toEqualTypeOf<string>()
    expectTypeOf<Answer['light']>().toEqualTypeOf<0 | 1>()
    expectTypeOf<Answer['lit']>().toEqualTypeOf<string>()
    expectTypeOf<Answer['most']>().toEqualTypeOf<{ name: string } | ''>()
    expectTypeOf<Answer['pages']['records']>().toEqualTypeOf<{ light: 0 | 1 }[]>()
    expectTypeOf<Answer['hint']>().toEqualTypeOf<string | undefined>()
  })

  test('a tree has its own kind below, in leaves nothing', () => {
    type Room = AnswerOf<typeof rooms>[number]
    expectTypeOf<NonNullable<Room['children']>[number]['id']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<NonNullable<Room['children']>[number]['children']>>().toExtend<{ floor?: number }[]>()
    expectTypeOf<ReplyOf<typeof rooms>>().toExtend<readonly { readonly id: string }[]>()
  })

  test('a page gets a row of a resource with what is derived, and what an action answers', () => {
    type Row = AnswerOf<typeof detail>
    expectTypeOf<Row['id']>().toEqualTypeOf<string>()
    expectTypeOf<Row['light']>().toEqualTypeOf<0 | 1 | undefined>()
    expectTypeOf<Row['heat']>().toEqualTypeOf<number | '' | undefined>()
    expectTypeOf<Row['rays']>().toEqualTypeOf<{ nm: number; since: string }[] | '' | undefined>()
    expectTypeOf<Row['createUserName']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<AnswerOf<typeof page>['records'][number]['name']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<AnswerOf<typeof tested>>().toEqualTypeOf<{ volts: number }>()
    expectTypeOf<ValuesOf<CallOf<typeof lampResource, 'blink'>>['times']>().toEqualTypeOf<number>()
  })

  test('a page gives the values of address and body', () => {
    expectTypeOf<ValuesOf<typeof lamps>['room']>().toEqualTypeOf<string>()
    expectTypeOf<ValuesOf<typeof lamps>['step']>().toEqualTypeOf<'day' | 'hour' | undefined>()
    expectTypeOf<ValuesOf<typeof switchOn>>().toExtend<{ readonly id: string; readonly times: readonly string[] }>()
  })

  test('a handler may give Dates and nothing', () => {
    expectTypeOf<ReplyOf<typeof lamps>['lit']>().toEqualTypeOf<Date | string | null | undefined>()
    expectTypeOf<ReturnType<Serving<typeof switchOn>>>().toEqualTypeOf<Promise<void> | Promise<Sent>>()
  })
})

describe('what does not compile', () => {
  test('in a contract', () => {
    const about = { title: '灯', access: 'staff' } as const
    // @ts-expect-error an address begins with its method
    endpoint('lamp.some', '/blade-test/lamp/some', about)
    // @ts-expect-error it says who may call it
    endpoint('lamp.some', 'GET /lamp/some', { title: '灯' })
    // @ts-expect-error there is no such access
    endpoint('lamp.some', 'GET /lamp/some', { title: '灯', access: 'everybody' })
    // @ts-expect-error `awnser` is no word of a contract
    endpoint('lamp.some', 'GET /lamp/some', { title: '灯', access: 'staff', awnser: text('名称') })
    // @ts-expect-error an answer is a shape
    endpoint('lamp.some', 'GET /lamp/some', { title: '灯', access: 'staff', answer: { name: text('名称') } })
    // @ts-expect-error a part of the address is one of the loose values
    endpoint('lamp.some', 'GET /lamp/some/:colour', { title: '灯', access: 'staff', values: { shade: text('色') } })
    endpoint('lamp.some', 'GET /lamp/some/:colour', { title: '灯', access: 'staff', values: { colour: text('色') } })
    // @ts-expect-error no field of the entity
    pick(Lamp, 'colour')
    // @ts-expect-error shapes consist of shapes
    group({ name: 'string' })
    // @ts-expect-error what a value consists of is a shape
    structured('光', { nm: count('波长') })
  })

  test('in a handler', () => {
    const serving = (_handler: Serving<typeof lamps>) => {}
    const some = {
      name: '',
      light: 1,
      lit: null,
      most: null,
      pages: { records: [], total: 0, size: 0, current: 0, pages: 0 },
    } as const
    serving(async () => some)
    // @ts-expect-error it takes no such value
    serving(({ query }) => ({ ...some, name: query.name }))
    // @ts-expect-error a light is 0 or 1
    serving(async () => ({ ...some, light: 2 }))
    // @ts-expect-error an answer is missing
    serving(async () => undefined)
    serving(async () => jsonText('{}'))
    // @ts-expect-error text of another shape
    serving(async () => jsonText<{ name: string }>('{}'))
    // @ts-expect-error text that says of nothing what it is
    serving(async () => '{}')
    const deriving = (_values: Derived<typeof lampResource>) => {}
    deriving({ heat: 3, rays: [{ nm: 400, since: new Date() }] })
    // @ts-expect-error a ray has a time, too
    deriving({ heat: 3, rays: [{ nm: 400 }] })
    const switching = (_handler: Serving<typeof switchOn>) => {}
    switching(async () => {})
    // @ts-expect-error nothing is answered
    switching(async () => ({ name: '' }))
    const filing = (_handler: Serving<typeof sheet>) => {}
    // @ts-expect-error a file is sent by the reply
    filing(async () => 'bytes')
  })

  test('in a page', () => {
    const asking = (_values: ValuesOf<typeof lamps>) => {}
    // @ts-expect-error the room is missing
    asking({})
    // @ts-expect-error an id is a text
    asking({ room: 1 })
    // @ts-expect-error no such word
    asking({ room: '1', step: 'week' })
    // @ts-expect-error no such value
    asking({ room: '1', flat: '2' })
    // @ts-expect-error a lamp has no such call
    callOf(lampResource, 'blnik')
    const reading = (_values: ValuesOf<typeof detail>) => {}
    // @ts-expect-error a detail is that of an id
    reading({})
    const submitting = (_values: ValuesOf<CallOf<typeof lampResource, 'submit'>>) => {}
    submitting({ id: '1', light: 1, lit: null })
    // @ts-expect-error a light is 0 or 1
    submitting({ id: '1', light: 2 })
    // @ts-expect-error no field of the lamp
    submitting({ id: '1', lihgt: 1 })
    submitting({ name: '灯', light: 1 })
    // @ts-expect-error a new lamp has a name
    submitting({ light: 1 })
    const blinking = (_values: ValuesOf<CallOf<typeof lampResource, 'blink'>>) => {}
    blinking({ id: '1', times: 3 })
    // @ts-expect-error it is for one lamp
    blinking({ times: 3 })
    // @ts-expect-error and not for several
    blinking({ ids: '1,2', times: 3 })
    // @ts-expect-error how often is asked for
    blinking({ id: '1' })
    // @ts-expect-error it does not ask for the light
    blinking({ id: '1', times: 3, light: 1 })
    const switching = (_values: ValuesOf<CallOf<typeof lampResource, 'on'>>) => {}
    switching({ ids: '1,2', group: 3 })
    // @ts-expect-error it is for several
    switching({ id: '1', group: 3 })
    // @ts-expect-error the value is part of its address
    switching({ ids: '1,2', group: 3, light: 1 })
  })
})
