import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { Event } from '#schemas/system/event'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { failingAt } from '../../../../tests/helper/failing.ts'
import type { Caller } from '../../../../tests/helper/person.ts'
import { readingsOf } from '../../../../tests/helper/plans.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { makeCrowd } from '../../../../tests/helper/seat-bench.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import type { inboxUnread } from '../contract.ts'
import { tellDue } from './tell.ts'

// What is promised of events: exactly once, or neither the change nor the event; and each person once, wherever the work is stopped.

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t?.close())

const decide = (who: Caller, signUpId: string, result: number) =>
  post(t, who, '/api/blade-signup/examine/examine', {
    signUpId,
    examineResult: result,
    examineResultRemark: result === 1 ? '' : '请补证书',
  })

const eventsOf = async (subjectId: string, code: string) =>
  (await t.db.selectFrom('event').select('id').where('subjectId', '=', subjectId).where('code', '=', code).execute())
    .length

test('a review and its event are kept together or not at all, whichever statement fails', async () => {
  await at(t, times.inside)
  const { exam } = await makeExam(t)
  const first = await reviewer(t, exam.id, 2)
  let tried = 0
  for (let nth = 1, isPast = false; !isPast; nth++) {
    const { id } = (await submit(t, await applicant(t), exam.id)).data
    isPast = !(await failingAt(t, nth, () => decide(first, id, 3)))
    const { examine } = await t.db.selectFrom('signup').select('examine').where('id', '=', id).executeTakeFirstOrThrow()
    expect([nth, await eventsOf(id, 'signup.returned')]).toEqual([nth, examine === 3 ? 1 : 0])
    tried = nth
  }
  expect(tried).toBeGreaterThan(8)
})

test('of reviewers who decide at once one is told of, and of fifty repetitions one', async () => {
  await at(t, times.inside)
  const { exam } = await makeExam(t)
  const reviewers = await Promise.all([1, 2, 3, 4].map(() => reviewer(t, exam.id, 2)))
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  const results = await Promise.all(reviewers.map((who, i) => decide(who, id, i % 2 ? 3 : 1)))
  expect(results.filter(({ code }) => code === 200)).toHaveLength(1)
  const [won] = reviewers.filter((_, i) => results[i]?.code === 200)
  await Promise.all(Array.from({ length: 50 }, () => decide(won as Caller, id, results[0]?.code === 200 ? 1 : 3)))
  const told = [await eventsOf(id, 'signup.returned'), await eventsOf(id, 'signup.passed')]
  expect(told.toSorted()).toEqual([0, 1])
})

test('a thousand people are told once each, whichever statement of the telling fails', async () => {
  await at(t, times.inside)
  const { examId } = await makeCrowd(t, 1200)
  // People without a living account are told of nothing.
  await t.pool.query('UPDATE "user" SET "isDeleted" = 0 WHERE id BETWEEN 900000 AND 999999')
  // What came before is told, decisions that could be undone among it.
  await at(t, new Date(t.app.now().getTime() + 61_000))
  await tellDue(t.app)
  const facts = { examName: '招聘' }
  const event = await insert(t.app, Event, { code: 'examination.closed', subjectId: examId, examId, facts, once: null })
  const isTold = async () =>
    (await t.db.selectFrom('event').select('toldTime').where('id', '=', event.id).executeTakeFirstOrThrow()).toldTime
  let failures = 0
  for (let nth = 1; !(await isTold()); nth++) {
    if (await failingAt(t, nth, () => tellDue(t.app).catch(() => undefined))) failures++
    await at(t, new Date(t.app.now().getTime() + 61_000))
  }
  expect(failures).toBeGreaterThan(10)
  const told = await t.db.selectFrom('message').select('userId').where('eventId', '=', event.id).execute()
  expect([told.length, new Set(told.map(one => one.userId)).size]).toEqual([1200, 1200])
})

test('what is unread is what the tables say, with hundreds of messages', async () => {
  await at(t, times.inside)
  const who = await applicant(t)
  await t.pool.query(
    `WITH e AS (INSERT INTO event (code, "subjectId", facts, "toldTime", "createTime")
       SELECT 'signup.submitted', i, '{"signNo":"1"}', now(), $2 FROM generate_series(1, 200) i RETURNING id, "subjectId")
     INSERT INTO message ("eventId", "userId", code, "subjectId", "messageTime", "readTime", until)
     SELECT id, $1, 'signup.submitted', "subjectId", $2, CASE WHEN "subjectId"::int % 3 = 0 THEN $2 END,
       CASE WHEN "subjectId"::int % 4 = 0 THEN $2::timestamptz + interval '1 day' END FROM e`,
    [who.userId, t.app.now()],
  )
  await t.pool.query(
    `INSERT INTO notice (title, content, scope1, "noticeStatus", "isTop", "needSure", "noticeType", category, "releaseTime")
     SELECT 'n' || i, '', 1, 1, 0, 0, 2, 1, $1 FROM generate_series(1, 50) i`,
    [t.app.now()],
  )
  const unread = async () => (await get<AnswerOf<typeof inboxUnread>>(t, who, '/api/blade-desk/inbox/unread')).data
  /** Counted from the tables alone. */
  const counted = async () => {
    const { rows } = await t.pool.query(
      `SELECT count(*) FILTER (WHERE m."readTime" IS NULL)::int AS messages,
         count(*) FILTER (WHERE m."doneTime" IS NULL AND m.until > $2)::int AS todos,
         (SELECT count(*)::int FROM notice n WHERE n."noticeStatus" = 1 AND n.scope1 IN (1, 5) AND NOT EXISTS
           (SELECT 1 FROM noticeread r WHERE r."noticeId" = n.id AND r."userId" = $1)) AS notices
       FROM message m WHERE m."userId" = $1`,
      [who.userId, t.app.now()],
    )
    return rows[0]
  }
  expect(await unread()).toMatchObject({ messages: 134, todos: 50 })
  // Whatever others have, only the own messages are read.
  await t.pool.query(`SET session_replication_role = replica;
    INSERT INTO message ("eventId", "userId", code, "subjectId", "messageTime")
      SELECT "eventId", 900000000 + i, code, "subjectId", "messageTime" FROM message, generate_series(1, 100) i WHERE "userId" = ${who.userId};
    RESET session_replication_role`)
  await t.pool.query('ANALYZE message')
  const readings = await readingsOf(t, 'message', unread)
  expect(readings).not.toEqual([])
  for (const { by, rows } of readings) expect([by, rows < 1000]).toEqual([expect.stringMatching(/Index|Bitmap/), true])
  expect((await unread()).notices).toBeGreaterThanOrEqual(50)
  expect(await unread()).toMatchObject(await counted())
  const { rows } = await t.pool.query(
    `SELECT id FROM message WHERE "userId" = $1 AND "readTime" IS NULL ORDER BY id LIMIT 30`,
    [who.userId],
  )
  for (const { id } of rows) await post(t, who, '/api/blade-desk/inbox/read', { id })
  expect(await unread()).toMatchObject({ messages: 104, ...(await counted()) })
  // Of another person's message nothing more is said than of one that is not there.
  const other = await applicant(t)
  const said = async (id: string) => {
    const info = await get(t, other, `/api/blade-desk/inbox/info?id=${id}`)
    const read = await post(t, other, '/api/blade-desk/inbox/read', { id })
    return [info.code, info.msg, read.code, read.msg]
  }
  expect(await said(rows[0].id)).toEqual(await said('999999999999999'))
  expect((await said(rows[0].id))[0]).toBe(29001)
})

test('no event, message, text or line of the log holds a number of anybody', async () => {
  const rows = await t.db.selectFrom('signup').select(['phone', 'idCard']).execute()
  const sealed = rows.flatMap(({ phone, idCard }) => [phone, idCard]).filter(one => one?.startsWith('v'))
  const numbers = sealed.map(one => t.app.vault.open(one as string))
  const known = new Set(numbers.filter(number => number.length >= 11))
  expect(known.size).toBeGreaterThan(10)
  const { rows: told } = await t.pool.query<{ text: string }>(
    `SELECT row_to_json(e)::text AS text FROM event e UNION ALL SELECT row_to_json(m)::text FROM message m
     UNION ALL SELECT row_to_json(w)::text FROM work_item w UNION ALL SELECT row_to_json(d)::text FROM send d
     UNION ALL SELECT row_to_json(l)::text FROM log_usual l`,
  )
  expect(told.length).toBeGreaterThan(1000)
  expect(told.filter(({ text }) => [...known].some(number => text.includes(number)))).toEqual([])
})
