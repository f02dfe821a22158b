import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entity, type Field, tableOf, writableFields } from '#engine'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow, keepRows, withoutPersonal } from '../helper/every-row.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, watchSchemas } from '../helper/route-cases.ts'

// Every call that writes is made twice: with what it takes, and with every other column of the row beside it. The second
// call must do what the first one did, or be refused.

type Values = Record<string, unknown>

/** Somebody and rows of his own. */
interface Side {
  who: Caller
  own: EveryRow
}

const schemas = watchSchemas()
const home = '000000'

let t: TestApp
let restore: () => Promise<void>
let cases: readonly RouteCase[]
const sides = new Map<string, Side>()

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  cases = casesOf(t.app, schemas.schemas).filter(({ method, resource }) => method === 'POST' && resource)
  const chief = await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) })
  const candidate = await signIn(t, { role: 'candidate' })
  const rowsOf = ({ userId }: Caller) => ({
    examination: { examStatus: 1 },
    signup: { signStatus: 1 },
    attach: { visible: 3, ownerType: 'photo', ownerId: null, createUser: userId },
    examuser: { userId, examRole: 1, units: null, codes: null, enable: 1 },
  })
  const staff = await everyRow(t.app, { tenantId: home, set: 1, rows: rowsOf(chief) })
  const shared = { ...withoutPersonal(staff), user: candidate.userId }
  const own = await everyRow(t.app, { tenantId: home, set: 3, shared, rows: rowsOf(candidate) })
  sides.set('staff', { who: chief, own: staff })
  sides.set('a candidate', { who: candidate, own })
  restore = await keepRows(t.app, [1, 3])
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

/** What calls take that do not say so in a schema, by their last word. */
const inputs: Readonly<Record<string, readonly string[]>> = {
  'update-platform': ['userType', 'userExt'],
  handle: ['appealStatus', 'reply'],
  // It makes up a new one each time.
  'reset-password': ['password'],
  issue: ['secret', 'secretTime'],
}

const nobodys = '7900000000000099999'
const later = '2031-03-03 03:03:03'

/** Another value than a field has, of a kind that would be taken. */
function otherValue({ kind, enum: keys, type }: Field, value: unknown): unknown {
  const key = keys?.find(one => String(one) !== String(value))
  if (key !== undefined) return key
  if (kind === 'date') return later.slice(0, 10)
  if (kind === 'dateTime') return later
  if (kind === 'json') return { 外来: 1 }
  if (kind === 'ref' || kind === 'refs' || kind === 'image' || kind === 'file') return nobodys
  return type === 'integer' ? 777 : '777'
}

/** Columns of every table that no call takes. */
const ofServer: Values = {
  tenantId: '900002',
  createUser: nobodys,
  createDept: nobodys,
  createTime: later,
  status: 7,
  isDeleted: 1,
}

/** The columns of a row that a call has no business with, with other values than they have. */
function strangers(one: RouteCase, entity: Entity, row: Values): Values {
  const call = one.url.split('/').at(-1) ?? ''
  const form = /^(submit|save|update)$/.test(call) ? writableFields(entity) : Object.keys(one.form)
  const taken = new Set([...form, ...one.ids, ...(inputs[call] ?? [])])
  const own = Object.entries(entity.properties).filter(([name]) => !taken.has(name))
  const values = own.map(([name, field]) => [name, otherValue(field, row[name])])
  const base = Object.entries(ofServer).filter(([name]) => !taken.has(name))
  return { ...Object.fromEntries(values), ...Object.fromEntries(base) }
}

const rowOf = async ({ name }: Entity, id: string): Promise<Values> =>
  (await t.pool.query<Values>(`SELECT * FROM "${tableOf(name)}" WHERE id = $1`, [id])).rows[0] ?? {}

/** The row after a call; null when the call was refused. */
async function done(one: RouteCase, entity: Entity, { who, own }: Side, id: string, more: Values) {
  const bag = Object.fromEntries(
    one.ids.flatMap(name => {
      const target = own[one.entityOf(name) ?? '']
      return target ? [[name, target]] : []
    }),
  )
  const request = one.request(bag, who.headers)
  const version = entity.version ? { version: (await rowOf(entity, id)).version } : {}
  const answer = await t.app.inject({ ...request, payload: { ...more, ...(request.payload as Values), ...version } })
  if (answer.statusCode >= 300) return null
  const row = await rowOf(entity, id)
  await restore()
  return row
}

const text = (value: unknown) => JSON.stringify(value) ?? 'null'

/** Columns in which a call with strangers did something else than without. */
async function taken(one: RouteCase, side: Side): Promise<string[]> {
  const { who, own } = side
  const entity = one.resource?.entity as Entity
  const ids = entity.name === 'user' ? [own.user, who.userId] : [own[entity.name]]
  const found: string[] = []
  for (const id of new Set(ids)) {
    if (!id) continue
    const before = await rowOf(entity, id)
    const more = strangers(one, entity, before)
    const full = await done(one, entity, side, id, more)
    if (!full) continue
    const plain = (await done(one, entity, side, id, {})) ?? before
    const isOther = (name: string) => ![plain, before].some(row => text(row[name]) === text(full[name]))
    found.push(
      ...Object.keys(more)
        .filter(isOther)
        .map(name => `${one.name} ${name}`),
    )
  }
  return found
}

describe('B7 · what a call takes is all that it takes', () => {
  test.each(['staff', 'a candidate'])('from %s', async name => {
    const side = sides.get(name)!
    const found: string[] = []
    for (const one of cases) found.push(...(await taken(one, side)))
    expect(found).toEqual([])
  })
})
