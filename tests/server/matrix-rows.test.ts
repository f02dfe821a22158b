import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Resource, waysOf } from '#engine'
import { resources } from '#resources'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { digestOf, type EveryRow, everyRow, keepRows, type RowSet, withoutPersonal } from '../helper/every-row.ts'
import { watchIds } from '../helper/id-watch.ts'
import { inTurns } from '../helper/in-turns.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { type Bag, casesOf, type RouteCase, textOf, watchSchemas } from '../helper/route-cases.ts'

// Every call that looks ids up is asked with the id of a row that is not there and with one that is somebody else's. Both
// must be answered in the same words, and nothing of somebody else's may change.

/** Somebody, rows of his own, and rows he must not meet. */
interface Side {
  who: Caller
  /** Those of one office may make the same calls. */
  office: 'staff' | 'candidate'
  own: EveryRow
  foreign: EveryRow
  /** The sets whose rows nobody may touch from here. */
  sets: readonly number[]
  /** Calls that may tell a row of this side from none, because the specification says so. */
  telling?: RegExp
}

const schemas = watchSchemas()
const watch = watchIds()
const [home, elsewhere] = ['000000', '900002']

let t: TestApp
let restore: () => Promise<void>
let cases: readonly RouteCase[]
let workbook: Buffer
const sides = new Map<string, Side>()

/** Entities whose rows belong to an exam, so that staff without a part in it do not meet them. */
const ofExams = (resources as readonly Resource[])
  .filter(({ scope }) => waysOf(scope).some(way => !('wide' in way)))
  .map(({ name }) => name)
  .filter(name => !name.startsWith('job-'))

const without = (rows: EveryRow, names: readonly string[]): EveryRow =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => !names.includes(name)))

/** Rows in states that let their owners do something with them. */
const livelyRows = (userId: string) => ({
  examination: { examStatus: 1 },
  signup: { signStatus: 1 },
  notice: { noticeStatus: 1, scope1: 1 },
  attach: { visible: 3, ownerType: 'photo', ownerId: null, createUser: userId },
  examuser: { userId, examRole: 1, units: null, codes: null, enable: 1 },
})

const make = (set: number, { userId }: Caller, more: Partial<RowSet> = {}) =>
  everyRow(t.app, { tenantId: home, set, mark: `乙${set}`, rows: livelyRows(userId), ...more })

/** A reviewer is told that a sign-up is not his to review; what is released of an exam is for everybody who is signed in. */
const toldToStaff = /\/blade-signup\/examine\/|\/signup\/(getExamInfoOrSignUpInfo|getSignUpFiles) /

async function makeSides(): Promise<void> {
  const permissions = menus.map(one => one.code)
  const chief = await signIn(t, { role: 'admin', permissions })
  const officer = await signIn(t, { permissions })
  const [one, other] = [await signIn(t, { role: 'candidate' }), await signIn(t, { role: 'candidate' })]
  const mine = await make(1, officer)
  const theirs = await make(2, { ...chief, userId: '1' }, { tenantId: elsewhere })
  const common = withoutPersonal(mine)
  const own = await make(3, one, { shared: { ...common, user: one.userId } })
  const his = await make(4, other, { shared: { ...common, user: other.userId } })
  const ofExam = await make(5, chief, {
    shared: without(mine, ofExams),
    rows: { ...livelyRows(chief.userId), notice: { noticeStatus: 1, scope1: 2 } },
  })
  const ofOther = { ...theirs, ...without(his, Object.keys(common)) }
  sides.set('another tenant', { office: 'staff', who: chief, own: mine, foreign: theirs, sets: [2] })
  sides.set('another exam', {
    office: 'staff',
    who: officer,
    own: mine,
    foreign: ofExam,
    sets: [2, 5],
    telling: toldToStaff,
  })
  sides.set('another candidate', { office: 'candidate', who: one, own, foreign: ofOther, sets: [1, 2, 4, 5] })
}

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  cases = casesOf(t.app, schemas.schemas)
  await makeSides()
  restore = await keepRows(t.app, [1, 3])
  const { headers } = sides.get('another tenant')!.who
  workbook = (await t.app.inject({ url: '/api/blade-system/post/export', headers })).rawPayload
})
afterAll(async () => {
  watch.stop()
  schemas.stop()
  await t.close()
})

/** Asks, and takes back what was done to the caller's own rows. */
async function ask(one: RouteCase, who: Caller, bag: Bag, file?: Buffer): Promise<string> {
  const answer = await t.app.inject(one.request(bag, who.headers, file))
  if (one.method === 'POST' && answer.statusCode < 300) await restore()
  return textOf(answer)
}

/** The ids of the caller's own rows under the names that mean them. */
function ownBag(one: RouteCase, own: EveryRow, names: readonly string[]): Bag {
  const ids = names.map(name => [name, own[one.entityOf(name) ?? '']])
  return Object.fromEntries(ids.filter(([, id]) => id))
}

let turn = 0

const isList = /\/(page|list|lazy-list|parent-list|child-list|select)$/

/** The names under which a call looks ids up: it is asked with ids that are nobody's until it looks up nothing new. */
async function namesOf(one: RouteCase, { who, own }: Side, file?: Buffer): Promise<readonly string[]> {
  if (one.isFiltered) return one.ids
  const found: string[] = []
  let fresh: readonly string[] = one.ids
  while (fresh.length > 0 && found.length < one.ids.length) {
    const start = `79${`${++turn}`.padStart(9, '0')}`
    const asked = new Map(one.ids.map((name, place) => [name, start + `${place}`.padStart(8, '0')]))
    await ask(one, who, { ...Object.fromEntries(asked), ...ownBag(one, own, found) }, file)
    fresh = one.ids.filter(name => !found.includes(name) && watch.seen.has(asked.get(name) ?? ''))
    found.push(...fresh)
  }
  return found
}

/** What asking a call under one name showed. */
interface Probe {
  name: string
  isSame: boolean
  /** Whether a row of the caller's own is answered otherwise than none, so that there is something to see. */
  isLive: boolean
}

const nobodys = '7900000000000099999'

interface Learned {
  names: readonly string[]
  /** What the call wants besides. */
  file?: Buffer | undefined
}

/** What was learned of calls, by those who may make the same ones. */
const learned = new Map<string, Learned>()

/** The names under which a call takes ids; with a file when it wants one. */
async function learn(one: RouteCase, side: Side): Promise<Learned> {
  const key = `${side.office} ${one.name}`
  const known = learned.get(key)
  if (known) return known
  const names = await namesOf(one, side)
  const wantsFile = names.length === 0 && one.method === 'POST' && (await ask(one, side.who, {})).startsWith('400')
  const found = wantsFile ? { names: await namesOf(one, side, workbook), file: workbook } : { names }
  learned.set(key, found)
  return found
}

async function probe(one: RouteCase, side: Side, name: string, bag: Bag, file?: Buffer): Promise<Probe[]> {
  const entity = one.entityOf(name) ?? ''
  const [own, foreign] = [side.own[entity], side.foreign[entity]]
  if (!own || !foreign || own === foreign) return []
  const answer = async (id: string) => (await ask(one, side.who, { ...bag, [name]: id }, file)).replaceAll(id, '#')
  const none = await answer(nobodys)
  if (none.startsWith('403')) return []
  const theirs = await answer(foreign)
  const isLive = one.method === 'GET' && none !== (await answer(own))
  const isSame = none === theirs
  const difference = isSame ? '' : ` ${none.slice(0, 200)} ≠ ${theirs.slice(0, 200)}`
  return [{ name: `${one.name} ${name}${difference}`, isSame, isLive }]
}

async function look(one: RouteCase, side: Side): Promise<Probe[]> {
  const { names, file } = await learn(one, side)
  // The lists of a resource read the same filters in the same way.
  const asked = isList.test(one.url) && !one.url.endsWith('/page') ? names.slice(0, 1) : names
  const bag = isList.test(one.url) ? {} : ownBag(one, side.own, names)
  const probes: Probe[] = []
  for (const name of asked) probes.push(...(await probe(one, side, name, bag, file)))
  return probes
}

async function lookAtAll(side: Side): Promise<Probe[]> {
  const of = (method: string) => cases.filter(one => one.method === method)
  const read = await inTurns(6, of('GET'), one => look(one, side))
  const written = await inTurns(1, of('POST'), one => look(one, side))
  return [...read, ...written].flat()
}

/** Fewest names that must have been asked for, of those that read, so that nothing is quietly left out. */
const leastLive = { 'another tenant': 300, 'another exam': 150, 'another candidate': 25 }

test('every name under which a call takes ids says whose they are', () => {
  const isColumn = ({ resource }: RouteCase, name: string) => !resource || name in resource.entity.properties
  const unknown = cases.flatMap(one =>
    one.ids.filter(name => one.entityOf(name) === undefined && !isColumn(one, name)).map(name => `${one.name} ${name}`),
  )
  expect(unknown).toEqual([])
})

describe('B5 · rows of somebody else', () => {
  const digests = ({ sets }: Side) => Promise.all(sets.map(set => digestOf(t.app, set)))

  test.each(Object.entries(leastLive))(
    '%s: are answered like rows that are not there, and stay as they are',
    async (name, least) => {
      const side = sides.get(name)!
      const before = await digests(side)
      const probes = await lookAtAll(side)
      const told = probes.filter(one => !one.isSame && !side.telling?.test(one.name))
      expect(told.map(one => one.name)).toEqual([])
      expect(await digests(side)).toEqual(before)
      expect(probes.filter(one => one.isLive).length).toBeGreaterThan(least)
    },
  )

  test('are noted in the audit log when somebody asked for them', async () => {
    const { foreign, who } = sides.get('another candidate')!
    const { userId, headers } = who
    t.setNow('2026-06-01 08:20:00')
    const url = (id: string) => ({ url: `/api/blade-signup/signup/detail?id=${id}`, headers })
    expect((await t.call(url(nobodys))).code).toBe(22010)
    expect((await t.call(url(foreign.signup!))).code).toBe(22010)
    await expect
      .poll(async () => {
        const { rows } = await t.pool.query(
          `SELECT "targetType", "targetId", outcome FROM auditlog WHERE event = 'denied' AND "userId" = $1 AND time >= $2`,
          [userId, t.app.now()],
        )
        return rows
      })
      .toEqual([{ targetType: 'signup', targetId: foreign.signup, outcome: 3 }])
  })
})
