import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idCardCheck } from '#engine'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type EveryRow, everyRow } from '../helper/every-row.ts'
import { inTurns } from '../helper/in-turns.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { casesOf, type RouteCase, textOf, watchSchemas } from '../helper/route-cases.ts'

// Every call that reads is made before and after another tenant gets a row in every table: no answer may be another one, and
// none may hold anything of these rows.

const schemas = watchSchemas()
const mark = '乙方'

let t: TestApp
let cases: readonly RouteCase[]
const callers = new Map<string, Caller>()
let own: EveryRow

const nobody: Caller = { userId: '', tenantId: '', headers: {} }

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  cases = casesOf(t.app, schemas.schemas, 'public').filter(({ method }) => method === 'GET')
  callers.set('staff', await signIn(t, { role: 'admin', permissions: menus.map(one => one.code) }))
  callers.set('a candidate', await signIn(t, { role: 'candidate' }))
  callers.set('nobody', nobody)
  const userId = callers.get('a candidate')!.userId
  own = await everyRow(t.app, { tenantId: '000000', set: 1, rows: { signup: { signStatus: 1, userId } } })
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

/** Logs, the dashboard's count of errors and the health of the system tell what was called meanwhile, lists of exports what was made. */
const isLog =
  /\/blade-log\/|\/system\/health$|\/home\/dashboard$|\/exporttask\/|\/(?:checkArchive|archiveExports)$|\/tenant\/|\/region\/export$/

async function answerOf(one: RouteCase, { headers }: Caller, bag: Record<string, string>): Promise<string> {
  return textOf(await t.app.inject(one.request(bag, headers)))
}

interface Answers {
  name: string
  /** Asked for everything, and for rows of the caller's own side. */
  texts: readonly string[]
}

const isRefused = (text: string) => /^40[13]/.test(text)

/** @param before what was answered before: who was turned away then is not asked again */
const askAll = (who: Caller, before?: readonly Answers[]): Promise<Answers[]> =>
  inTurns(6, cases, async (one, place) => {
    const known = before?.[place]
    if (known?.texts.every(isRefused)) return known
    const texts = [await answerOf(one, who, {})]
    const name = one.ids.find(id => own[one.entityOf(id) ?? ''])
    if (!name || texts.every(isRefused)) return { name: one.name, texts }
    texts.push(await answerOf(one, who, { [name]: own[one.entityOf(name) ?? '']! }))
    return { name: one.name, texts }
  })

/** How an answer shows rows of the other tenant, or that they are there. */
function differences({ name, texts }: Answers, before: Answers | undefined): string[] {
  const isShown = texts.some(text => text.includes(mark) || text.includes('72000000'))
  const isOther = !isLog.test(name) && texts.join() !== before?.texts.join()
  return [...(isShown ? [`${name} shows them`] : []), ...(isOther ? [`${name} reacts to them`] : [])]
}

/** Rows of the other tenant as they would be seen by most. */
const released = {
  examination: { examStatus: 1 },
  notice: { noticeStatus: 1, scope1: 5 },
  news: { newsStatus: 1 },
  files: { filesStatus: 1 },
}

/** Numbers of people in an answer: what may be one, and is one by its digits. */
const numbersIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w.])(?:[1-9]\d{16}[\dX]|1[3-9]\d{9})(?![\w.])/g)]
    .map(([found]) => found)
    .filter(found => found.length === 11 || idCardCheck(found.slice(0, 17)) === found[17])

describe('what is read', () => {
  const before = new Map<string, Answers[]>()
  beforeAll(async () => {
    for (const [name, who] of callers) before.set(name, await askAll(who))
  })

  test('never tells an ID number or a phone whole', () => {
    const told = [...before].flatMap(([name, answers]) =>
      answers.flatMap(one => one.texts.flatMap(numbersIn).map(() => `${name}: ${one.name}`)),
    )
    // The owner of a sign-up reads the own number whole, once.
    expect(told).toEqual(['a candidate: GET /api/blade-signup/signup/detail'])
  })

  test('B26 · is the same before and after another tenant has rows everywhere', async () => {
    await everyRow(t.app, { tenantId: '900002', set: 2, mark, rows: released })
    const wrong: string[] = []
    for (const [name, who] of callers) {
      const after = await askAll(who, before.get(name))
      wrong.push(
        ...after.flatMap((one, place) => differences(one, before.get(name)?.[place]).map(text => `${name}: ${text}`)),
      )
    }
    expect(wrong).toEqual([])
  })
})
