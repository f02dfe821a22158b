import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReleaseStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { makeWritten, resultsOf, scoreStaff, sitterWithAccount, twoStaff } from '../helper/result-bench.ts'
import { hoursFromNow, watch } from './watch.ts'

// Results are released and taken back again and again, while candidates read them at both servers and servers are killed. From
// the answer of a release on everybody sees their own score, from that of a recall on nobody, and never only some.

const [people, kills] = [10, 24]
const base = '/blade-exam/examination'

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

test('release and recall: everybody or nobody, from the answer on', async () => {
  const made = await makeWritten(t, { stage: { startTime: hoursFromNow(-50), endTime: hoursFromNow(-48) } })
  const { itemId, examId } = made
  await t.pool.query(
    'UPDATE examination SET "resultTime" = $2, "resultEndTime" = $3, "appealEndTime" = $3 WHERE id = $1',
    [examId, hoursFromNow(-1), hoursFromNow(100)],
  )
  const sitters: Awaited<ReturnType<typeof sitterWithAccount>>[] = []
  for (let n = 0; n < people; n++) sitters.push(await sitterWithAccount(t, made))
  const [first, second] = await twoStaff(t)
  const scoreOf = (n: number) => String(50 + n)
  const rows = sitters.map(({ ticket }, n) => ({ 准考证号: ticket.ticketNo, 成绩: scoreOf(n) }))
  expect(await scoreStaff(t, first.who).take(itemId, rows)).toMatchObject({ code: 200 })

  /** What must be seen by who asks now; null while it is being changed. */
  let isOut: boolean | null = false
  /** Counts changes: what was asked before one and answered after it may be either. */
  let turn = 0
  const change = async (to: boolean): Promise<void> => {
    const who = (to ? first : second).who
    isOut = null
    turn++
    const answer = await fleet.insist<{ num: number }>(`${base}/${to ? 'releaseResult' : 'recallResult'}`, {
      headers: who.headers,
      body: { itemId, ...(!to && { reason: '统分有误' }) },
    })
    expect(answer).toMatchObject({ code: 200, data: { num: people } })
    isOut = to
    turn++
  }
  let changes = 0
  const staff = async (load: Load) => {
    for (let to = true; load.goesOn() || !to; to = !to) {
      await change(to)
      changes++
      load.done()
      // For a while it stays so: those who ask now must not see it otherwise.
      await sleep(200)
    }
  }
  const seen = { out: 0, notOut: 0 }
  const wrong: unknown[] = []
  const reader = (n: number) => async (load: Load) => {
    const { headers } = sitters[n]!.caller
    while (load.goesOn()) {
      const [before, must] = [turn, isOut]
      const answer = await fleet.ask<{ score: string }[]>(`/blade-signup/score/getExamScore?examId=${examId}`, {
        headers,
      })
      if (answer.lost || answer.status === 503) continue
      const found = answer.code === 200 ? answer.data.map(one => one.score) : answer.code
      const isRight = answer.code === 200 ? JSON.stringify(found) === JSON.stringify([scoreOf(n)]) : found === 26001
      const isTimely = turn !== before || must === null || (answer.code === 200) === must
      if (!isRight || !isTimely) wrong.push({ n, must, found })
      seen[answer.code === 200 ? 'out' : 'notOut']++
      load.done()
    }
  }
  const whole = watch(
    t.url,
    `SELECT i."resultRelease" AS stage, min(r."resultStatus")::int AS least, max(r."resultStatus")::int AS most
     FROM examinationitem i JOIN result r ON r."itemId" = i.id AND r."isDeleted" = 0 WHERE i.id = $1 GROUP BY 1`,
    [itemId],
    ({ stage, least, most }) => stage === least && stage === most,
  )
  await underKills(fleet, kills, [staff, ...sitters.map((_, n) => reader(n))])
  expect(wrong).toEqual([])
  expect(await whole.end()).toEqual([])
  expect(Math.min(seen.out, seen.notOut, changes)).toBeGreaterThan(0)
  const stored = await resultsOf(t, itemId)
  expect(stored.map(row => [row.resultStatus, Number(row.score)])).toEqual(
    sitters.map((_, n) => [ReleaseStatus.recalled, Number(scoreOf(n))]),
  )
  const moves = await t.db
    .selectFrom('result_move')
    .select(['kind', eb => eb.fn.countAll<string>().as('n')])
    .where('itemId', '=', itemId)
    .groupBy('kind')
    .execute()
  const counts = Object.fromEntries(moves.map(one => [one.kind, Number(one.n)]))
  expect(counts).toEqual({ release: changes / 2, recall: changes / 2 })
  expect(fleet.faults).toEqual([])
  console.log(`${changes} changes, ${seen.out + seen.notOut} readings`)
})
