import { describe, expectTypeOf, test } from 'vitest'
import {
  changedShape,
  dateTime,
  dictionary,
  entity,
  filled,
  group,
  integer,
  optional,
  resource,
  type SheetRow,
  sheet,
  sometimes,
  state,
  text,
} from '#engine'
import { byResource, derived, guard, handler, on, type RulesWanted, rules } from '../src/crud/rules.ts'
import { sheetRules } from '../src/crud/sheet-rules.ts'

const light = dictionary('light', '信号', { red: [0, '红'], green: [1, '绿'] })
const Lamp = entity('lamp', '灯', {
  name: text('名称', { maxLength: 20 }),
  light: state('信号', light),
  volts: optional(integer('电压', { minimum: 0 })),
  lit: filled(optional(dateTime('点亮时间'))),
})
const path = '/blade-test/lamp'
const plain = resource(Lamp, { path })
const heated = resource(Lamp, { path, derived: { heat: integer('热度') } })
const acting = resource(Lamp, {
  path,
  transitions: {
    on: { label: '开', call: 'POST on?id', when: { light: 0 }, guard: '有电', set: { light: 1 }, input: ['volts'] },
    off: { label: '关', call: 'POST off?id', when: { light: 1 }, set: { light: 0 }, reason: text('原因') },
  },
  actions: {
    look: { label: '看', call: 'GET look?id', open: '/look/:id' },
    blink: { label: '闪', call: 'POST blink?id', input: ['volts'], ask: { times: integer('次数') } },
    sink: { label: '沉', call: 'POST sink?id', upload: '.xlsx' },
  },
})
const telling = resource(Lamp, {
  path,
  actions: {
    test: {
      label: '试',
      call: 'POST test?id',
      answer: group({ volts: integer('电压'), msg: sometimes(text('说明')) }),
    },
    wipe: { label: '擦', on: 'rows', call: 'POST wipe?ids', answer: changedShape },
  },
})

describe('what rules know', () => {
  test('rows, what was given and what an action is called with', () => {
    rules(acting, {
      routed: ['sink'],
      hooks: {
        async beforeSubmit({ set, now }, given, before) {
          expectTypeOf(given.name).toEqualTypeOf<string | undefined>()
          expectTypeOf(given.volts).toEqualTypeOf<number | null | undefined>()
          expectTypeOf(before?.light).toEqualTypeOf<0 | 1 | undefined>()
          set({ light: 1, lit: now, volts: undefined })
        },
        async afterSubmit(_ctx, row) {
          expectTypeOf(row.lit).toEqualTypeOf<Date | null>()
        },
      },
      handlers: {
        async blink({ values, id }) {
          expectTypeOf(id).toEqualTypeOf<string>()
          expectTypeOf(values.times).toEqualTypeOf<number>()
          expectTypeOf(values.volts).toEqualTypeOf<number | null | undefined>()
        },
      },
    })
  })

  test('derived values by their fields', () => {
    rules(heated, {
      hooks: {
        derive: async (_ctx, rows) =>
          rows.map(row => {
            expectTypeOf(row.lit).toEqualTypeOf<string | undefined>()
            return { heat: row.name?.length ?? 0 }
          }),
      },
    })
  })
})

describe('guards and listeners', () => {
  test('know the rows and what a transition is made with', () => {
    guard(acting, 'on', ({ rows, values, reason, person }) => {
      expectTypeOf(person?.roles).toEqualTypeOf<readonly string[] | undefined>()
      expectTypeOf(rows[0]!.light).toEqualTypeOf<0 | 1>()
      expectTypeOf(values.volts).toEqualTypeOf<number | null | undefined>()
      expectTypeOf(reason).toEqualTypeOf<string>()
    })
    on(acting, 'off', ({ rows, before, along }) => {
      expectTypeOf(rows[0]!.lit).toEqualTypeOf<Date | null>()
      expectTypeOf(before).toEqualTypeOf(rows)
      expectTypeOf(along.examinationticket).toEqualTypeOf<readonly string[] | undefined>()
    })
    on(plain, 'submit', ({ rows }) => expectTypeOf(rows[0]!.name).toEqualTypeOf<string>())
  })
})

describe('what does not compile', () => {
  const blink = async () => {}
  const free = () => undefined

  test('in hooks', () => {
    // @ts-expect-error `nmae` is no field of the row
    rules(plain, { hooks: { beforeSubmit: async ({ set }) => set({ nmae: 'x' }) } })
    // @ts-expect-error 9 is no state of the lamp
    rules(plain, { hooks: { beforeSubmit: async ({ set }) => set({ light: 9 }) } })
    // @ts-expect-error a name is not emptied
    rules(plain, { hooks: { beforeSubmit: async ({ set }) => set({ name: null }) } })
    // @ts-expect-error an instant is a Date
    rules(plain, { hooks: { beforeSubmit: async ({ set }) => set({ lit: '2026-01-01 00:00:00' }) } })
    // @ts-expect-error `ligth` is no field that was given
    rules(plain, { hooks: { beforeSubmit: async ({ set }, given) => set({ volts: given.ligth }) } })
    // @ts-expect-error nobody gives what the server fills
    rules(plain, { hooks: { beforeSubmit: async ({ set }, given) => set({ lit: given.lit }) } })
    // @ts-expect-error a new row has none before it
    rules(plain, { hooks: { beforeSubmit: async ({ set }, _given, before) => set({ name: before.name }) } })
    // @ts-expect-error a state is compared with states
    rules(plain, { hooks: { beforeRemove: async (_ctx, rows) => void rows.some(row => row.light === 9) } })
    // @ts-expect-error `nmae` is no field of a stored row
    rules(plain, { hooks: { afterSubmit: async ({ app }, row) => app.log.info(row.nmae) } })
    // @ts-expect-error `beforeSbmit` is no hook
    rules(plain, { hooks: { beforeSbmit: async () => undefined } })
    // @ts-expect-error what is submitted is written with `set`, not answered
    rules(plain, { hooks: { beforeSubmit: async (_ctx, given) => ({ ...given, volts: 1 }) } })
  })

  test('in derived values', () => {
    // @ts-expect-error somebody works out what is derived
    rules(heated, {})
    // @ts-expect-error hooks alone do not
    rules(heated, { hooks: {} })
    // @ts-expect-error `heta` is not what is derived
    rules(heated, { hooks: { derive: async (_ctx, rows) => rows.map(() => ({ heta: 1 })) } })
    // @ts-expect-error a heat is a number
    rules(heated, { hooks: { derive: async (_ctx, rows) => rows.map(() => ({ heat: 'hot' })) } })
    // @ts-expect-error `heta` has no sum
    rules(heated, { hooks: { derive: async () => [], total: async () => ({ heta: 1 }) } })
    // @ts-expect-error nothing is derived of it
    rules(plain, { hooks: { derive: async () => [] } })
  })

  test('in handlers', () => {
    // @ts-expect-error the actions need code
    rules(acting, {})
    // @ts-expect-error `blink` needs code, too
    rules(acting, { routed: ['sink'] })
    // @ts-expect-error `sink` has neither a handler nor a route
    rules(acting, { handlers: { blink } })
    // @ts-expect-error `on` is a transition and needs no code
    rules(acting, { routed: ['sink'], handlers: { blink, on: blink } })
    // @ts-expect-error `look` opens a page
    rules(acting, { routed: ['sink'], handlers: { blink, look: blink } })
    // @ts-expect-error `blnik` is no action
    rules(acting, { routed: ['sink'], handlers: { blnik: blink } })
    // @ts-expect-error what has a route has no handler beside it
    rules(acting, { routed: ['sink'], handlers: { blink, sink: blink } })
    // @ts-expect-error `snik` is no action that has a route
    rules(acting, { routed: ['snik'], handlers: { blink, sink: blink } })
    // @ts-expect-error a resource without actions has no handlers
    rules(plain, { handlers: { blink } })
    // @ts-expect-error `tiems` is not asked for
    rules(acting, { routed: ['sink'], handlers: { blink: async ({ values }) => values.tiems } })
    // @ts-expect-error how often is a number
    rules(acting, { routed: ['sink'], handlers: { blink: async ({ values }) => values.times.trim() } })
    // @ts-expect-error `blink` answers nothing
    rules(acting, { routed: ['sink'], handlers: { blink: async () => ({ num: 1 }) } })
    const [test, wipe] = [async () => ({ volts: 12 }), async () => ({ changed: 1, total: 2 })]
    rules(telling, { handlers: { test, wipe } })
    rules(telling, { handlers: { test: async () => ({ volts: 12, msg: '够亮' }), wipe } })
    // @ts-expect-error `test` says an answer
    rules(telling, { handlers: { test: async () => {}, wipe } })
    // @ts-expect-error the volts are a number
    rules(telling, { handlers: { test: async () => ({ volts: '12' }), wipe } })
    // @ts-expect-error how many were asked for is missing
    rules(telling, { handlers: { test, wipe: async () => ({ changed: 1 }) } })
    // @ts-expect-error what a route answers stands in its contract
    rules(telling, { routed: ['test'], handlers: { wipe } })
    // @ts-expect-error an answer is a shape
    resource(Lamp, { path, actions: { test: { label: '试', call: 'POST test?id', answer: { num: integer('数') } } } })
  })

  test('in guards and listeners', () => {
    // @ts-expect-error `off` has no guard
    guard(acting, 'off', free)
    // @ts-expect-error `no` is no transition
    guard(acting, 'no', free)
    // @ts-expect-error `ligth` is no field of the row
    guard(acting, 'on', ({ rows }) => void rows[0]!.ligth)
    // @ts-expect-error nobody asks how often the lamp goes on
    guard(acting, 'on', ({ values }) => void values.times)
    // @ts-expect-error `on` needs no handler
    handler(acting, 'on', blink)
    // @ts-expect-error nothing of the name `blink` happens to a lamp
    on(acting, 'blink', free)
    // @ts-expect-error a lamp that is plain is only submitted and removed
    on(plain, 'on', free)
    // @ts-expect-error `ligth` is no field of what one hears of
    on(acting, 'off', ({ before }) => before[0]!.ligth)
  })

  test('in the list of all rules', () => {
    const guarded = guard(acting, 'on', free)
    const ruled = rules(acting, { routed: ['sink'], handlers: { blink } })
    const open = rules(acting, { routed: ['sink'], later: ['blink'] })
    byResource([open, guarded, handler(acting, 'blink', blink)]) satisfies RulesWanted<{ acting: typeof acting }>
    // @ts-expect-error nobody gives the handler that was left to later modules
    byResource([open, guarded]) satisfies RulesWanted<{ acting: typeof acting }>
    // @ts-expect-error nobody guards the transition `on`
    byResource([ruled]) satisfies RulesWanted<{ acting: typeof acting }>
    const left = rules(heated, { later: ['derive'] })
    const heat = derived(heated, { derive: async (_ctx, rows) => rows.map(() => ({ heat: 1 })) })
    byResource([left, heat]) satisfies RulesWanted<{ heated: typeof heated }>
    // @ts-expect-error nobody works out what was left to later modules
    byResource([left]) satisfies RulesWanted<{ heated: typeof heated }>
    byResource([ruled, guarded]) satisfies RulesWanted<{ acting: typeof acting; plain: typeof plain }>
    // @ts-expect-error nothing is said of a resource whose actions need code
    byResource([]) satisfies RulesWanted<{ acting: typeof acting }>
    // @ts-expect-error nor of one with derived values
    byResource([]) satisfies RulesWanted<{ heated: typeof heated }>
  })
})

describe('what a sheet knows', () => {
  const lamps = sheet(plain, {
    title: '灯',
    version: 'lamp-1',
    fixed: ['volts'],
    key: ['room'],
    extra: { room: text('房间'), note: optional(text('备注')) },
    columns: ['room', { field: 'name', role: 'same' }, { field: 'light', role: 'shown' }, 'volts', 'note'],
  })

  test('rows by its columns: what is shown is not read, what is compared may be empty', () => {
    expectTypeOf<SheetRow<typeof lamps>>().toEqualTypeOf<{
      readonly room: string
      readonly name: string | null
      readonly volts: number | null
      readonly note: string | null
    }>()
  })

  test('what its rules are given and give', () => {
    sheetRules(lamps, {
      business: 'lamp',
      begin: async ({ fixed }) => {
        expectTypeOf(fixed).toEqualTypeOf<{ readonly volts: string }>()
        return { most: 5 }
      },
      prefill: async () => [{ room: 'A', light: 1 as const, volts: null }],
      find: async () => [{ room: 'A', name: '台灯', id: '7' }],
      check: (row, found, { held }) => {
        expectTypeOf(found.id).toEqualTypeOf<string>()
        expectTypeOf(held.most).toEqualTypeOf<number>()
        return row.volts === held.most ? [] : [{ field: 'volts', msg: '过高' }]
      },
      save: async rows => rows.map(({ values, found }) => [values.room, found.id]),
    })
  })

  test('a wrong name does not compile', () => {
    const head = { title: '灯', version: 'lamp-1' }
    // @ts-expect-error no field
    sheet(Lamp, { ...head, key: [], columns: ['nmae'] })
    // @ts-expect-error no field
    sheet(Lamp, { ...head, key: [], columns: [{ field: 'nmae', width: 3 }] })
    // @ts-expect-error no column
    sheet(Lamp, { ...head, key: ['volts'], columns: ['name'] })
    // @ts-expect-error no role
    sheet(Lamp, { ...head, key: [], columns: [{ field: 'name', role: 'red' }] })
    // @ts-expect-error no field of the entity
    sheet(Lamp, { ...head, key: [], columns: ['name'], fixed: ['nmae'] })
    const save = async () => null
    // @ts-expect-error what is compared must be found
    sheetRules(lamps, { business: 'lamp', find: async () => [{ room: 'A' }], save })
    // @ts-expect-error no column
    sheetRules(lamps, { business: 'lamp', check: () => [{ field: 'nmae', msg: '错' }], save })
    // @ts-expect-error nothing is done with rows
    sheetRules(lamps, { business: 'lamp' })
    // @ts-expect-error no such value
    sheetRules(lamps, { business: 'lamp', prefill: async () => [{ light: 7 }], save })
  })
})
