import { afterAll, beforeAll, expect, test } from 'vitest'
import { SignAction, SignStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Applicant, applicant, formOf, makeExam, rowsOf, type Saved } from '../helper/sign-bench.ts'
import { hoursFromNow, watch } from './watch.ts'

// Many want few places, give them up and want them again, while servers are killed. Whoever was told that a place is theirs has
// it, whoever was told that all are taken has none, and nothing is done twice.

const [places, people, atOnce, kills] = [5, 48, 16, 24]

let t: TestApp
let fleet: Fleet

beforeAll(async () => {
  t = await testApp()
  fleet = await startFleet(t)
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
})

/** A candidate, as the candidate knows it. */
interface Own {
  who: Applicant
  /** The sign-up while a place is held; null otherwise. */
  id: string | null
  /** How often it was said that a place is theirs, and that it was given up. */
  taken: number
  given: number
}

test('places: never more than there are, and each answer holds', async () => {
  const window = { signStartTime: hoursFromNow(-1), signEndTime: hoursFromNow(5), modifyEndTime: hoursFromNow(6) }
  const { exam } = await makeExam(t, {
    exam: { ...window, examineEndTime: hoursFromNow(7) },
    post: { maxSignup: places },
  })
  const owns: Own[] = []
  for (let n = 0; n < people; n++) owns.push({ who: await applicant(t), id: null, taken: 0, given: 0 })
  const base = '/blade-signup/signup'
  let refused = 0

  async function turn(own: Own): Promise<void> {
    const { headers } = own.who
    if (own.id) {
      const answer = await fleet.insist(`${base}/giveUp`, { headers, body: { id: own.id } })
      expect(answer).toMatchObject({ code: 200 })
      own.id = null
      own.given++
      return
    }
    const answer = await fleet.insist<Saved>(`${base}/submit`, { headers, body: formOf(own.who, exam.id) })
    if (answer.code === 200) {
      expect(answer.data).toMatchObject({ signStatus: SignStatus.submitted })
      own.id = answer.data.id
      own.taken++
    } else {
      expect(answer).toMatchObject({ code: 22005 })
      refused++
    }
  }
  const candidates = (group: number) => async (load: Load) => {
    const mine = owns.filter((_, n) => n % atOnce === group)
    for (let n = 0; load.goesOn(); n++) {
      await turn(mine[n % mine.length]!)
      load.done()
    }
  }

  const most = watch(
    t.url,
    `SELECT count(*)::int AS n FROM signup WHERE "examId" = $1 AND "signStatus" = ${SignStatus.submitted} AND "isDeleted" = 0`,
    [exam.id],
    ({ n }) => (n as number) <= places,
  )
  const { done } = await underKills(
    fleet,
    kills,
    Array.from({ length: atOnce }, (_, group) => candidates(group)),
  )
  expect(await most.end()).toEqual([])
  const rows = await rowsOf(t, exam.id)
  const held = rows.filter(row => row.signStatus === SignStatus.submitted)
  expect(held.length).toBeLessThanOrEqual(places)
  expect(held.map(row => row.id).toSorted()).toEqual(owns.flatMap(own => own.id ?? []).toSorted())
  expect(new Set(rows.map(row => row.userId)).size).toBe(rows.length)
  expect(new Set(rows.map(row => row.signNo)).size).toBe(rows.length)
  const acts = await t.db
    .selectFrom('signuplog as l')
    .innerJoin('signup as s', 's.id', 'l.signupId')
    .select(['s.userId', 'l.action', eb => eb.fn.countAll<string>().as('n')])
    .where('s.examId', '=', exam.id)
    .groupBy(['s.userId', 'l.action'])
    .execute()
  const noted = (userId: string, action: number) =>
    Number(acts.find(one => one.userId === userId && one.action === action)?.n ?? 0)
  for (const { who, taken, given } of owns)
    expect([noted(who.userId, SignAction.submit), noted(who.userId, SignAction.withdraw)]).toEqual([taken, given])
  expect(refused).toBeGreaterThan(places)
  expect(fleet.faults).toEqual([])
  console.log(`${done} answers, ${owns.reduce((sum, own) => sum + own.taken, 0)} places taken, ${refused} refused`)
})
