import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExamineResult, ExamineStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { bulk } from '../helper/bulk.ts'
import { type Fleet, startFleet } from '../helper/fleet.ts'
import { inTurns } from '../helper/in-turns.ts'
import { applicant, formOf, makeExam, post, reviewer, rowsOf, type Saved } from '../helper/sign-bench.ts'
import { hoursFromNow } from './watch.ts'

// Two reviewers, each at a server of their own, decide on the same sign-up at one moment, thousands of times.

const [signups, atOnce] = [Number(process.env.LONG_REVIEWS ?? 2000), 8]

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

test(`two reviewers at two servers: each of ${signups} sign-ups is decided once, and the other is told so`, async () => {
  const { exam } = await makeExam(t, {
    exam: {
      signStartTime: hoursFromNow(-1),
      signEndTime: hoursFromNow(5),
      modifyEndTime: hoursFromNow(6),
      examineEndTime: hoursFromNow(7),
    },
  })
  const who = await applicant(t)
  const made = await post<Saved>(t, who, 'submit', formOf(who, exam.id))
  expect(made).toMatchObject({ code: 200 })
  await bulk(
    t.pool,
    `INSERT INTO "user" SELECT (jsonb_populate_record(u, jsonb_build_object('id', 900000 + i, 'account', 'l' || i,
       'idCardHash', md5(i::text), 'phoneHash', md5(i::text)))).* FROM "user" u, generate_series(2, $2) i WHERE u.id = $1`,
    [who.userId, signups],
  )
  await bulk(
    t.pool,
    `INSERT INTO signup SELECT (jsonb_populate_record(s, jsonb_build_object('id', next_id(), 'userId', 900000 + i,
       'idCardHash', md5(i::text), 'signNo', 'L' || i))).* FROM signup s, generate_series(2, $2) i WHERE s.id = $1`,
    [made.data.id, signups],
  )
  const reviewers = [await reviewer(t, exam.id, 2), await reviewer(t, exam.id, 2)]
  const rows = await rowsOf(t, exam.id)
  expect(rows).toHaveLength(signups)
  /** Either passes or refuses, never both the same, at a server that chance gives them. */
  const decisions = await inTurns(atOnce, rows, async ({ id }) => {
    const [first, results] = [randomInt(2), [ExamineResult.approved, ExamineResult.rejected]]
    const swap = randomInt(2)
    const answers = await Promise.all(
      reviewers.map(({ headers }, n) => {
        const examineResult = results[(n + swap) % 2]!
        const body = {
          signUpId: id,
          examineResult,
          examineResultRemark: examineResult === ExamineResult.approved ? '' : '不符',
        }
        return fleet.ask('/blade-signup/examine/examine', { headers, body, on: (n + first) % 2 })
      }),
    )
    const winner = answers.findIndex(answer => answer.code === 200)
    return { id, codes: answers.map(answer => answer.code), winner, result: results[(winner + swap) % 2] }
  })
  const outcomes = decisions.map(one => one.codes.toSorted((a, b) => Number(a) - Number(b)).join())
  expect(outcomes.filter(one => one !== '200,22031')).toEqual([])
  const after = new Map((await rowsOf(t, exam.id)).map(row => [row.id, row]))
  const logs = await t.db.selectFrom('examinelog').select(['signupId', 'result', 'userId']).execute()
  const acts = new Map(logs.map(log => [log.signupId, log]))
  expect([logs.length, acts.size]).toEqual([signups, signups])
  const wrong = decisions.filter(({ id, winner, result }) => {
    const [row, act, userId] = [after.get(id), acts.get(id), reviewers[winner]?.userId]
    const isDecided = row?.examine === result && row?.examineUser === userId && row?.version === 2
    return !isDecided || act?.result !== result || act?.userId !== userId || row?.examine === ExamineStatus.pending
  })
  expect(wrong).toEqual([])
  expect(new Set(decisions.map(one => one.winner))).toEqual(new Set([0, 1]))
  expect(fleet.faults).toEqual([])
})
