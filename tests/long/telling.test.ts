import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HookDeliveryStatus, PurgeStatus } from '#schemas/dictionaries'
import { Event } from '#schemas/system/event'
import { figuresOf, purgedExam } from '../../src/modules/privacy/server/purge/count.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'
import { makeCrowd } from '../helper/seat-bench.ts'
import { drawableNow } from './drawable.ts'

// Servers are killed while they tell thousands of people of events and other systems hear of them, and while they erase what is over. What
// counts is what stands in the inboxes, in the book of the receiver, and in the tables.

const [people, most, kills] = [Number(process.env.TELLING_PEOPLE ?? 5000), 20, 20]

/** The other system: the ids of events in the order in which it has heard them, again where it has heard one again. */
const heard: string[] = []
const receiver = http.createServer((request, response) => {
  request.resume()
  request.on('end', async () => {
    heard.push(String(request.headers['webhook-id']))
    // Slow, so that many are killed between the call and its answer.
    await sleep(150)
    response.writeHead(204).end()
  })
})

let t: TestApp
let fleet: Fleet
let admin: Caller
let second: Caller
/** An exam with so many people. */
let examId: string
/** Its stage. */
let itemId: string
beforeAll(async () => {
  t = await testApp()
  await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done))
  admin = await signIn(t, { role: 'admin' })
  second = await signIn(t, { role: 'admin' })
  await t.db
    .updateTable('param')
    .set({ paramValue: `127.0.0.1:${(receiver.address() as AddressInfo).port}` })
    .where('paramKey', '=', 'hook.hosts')
    .execute()
  const crowd = await makeCrowd(t, people, drawableNow())
  examId = crowd.examId
  // People without a living account are told of nothing.
  await t.pool.query('UPDATE "user" SET "isDeleted" = 0 WHERE id BETWEEN 900000 AND 999999')
  itemId = crowd.itemId
  fleet = await startFleet(t)
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
  receiver.closeAllConnections()
  receiver.close()
})

const insist = async <T>(who: Caller, path: string, body: object = {}) => {
  const answer = await fleet.insist<T>(path, { headers: who.headers, body })
  expect(answer).toMatchObject({ code: 200 })
  return answer.data
}

/** Puts a webhook to use that hears of closed exams. */
async function listen(): Promise<void> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await insist(admin, '/blade-develop/hook/submit', { name: 'book', url, events: 'examination.closed' })
  const { id } = await t.db.selectFrom('hook').select('id').executeTakeFirstOrThrow()
  for (const act of ['issue', 'enable']) await insist(admin, `/blade-develop/hook/${act}?id=${id}`)
}

test('each person has each message once, and the other system each event in its order, whoever is killed', async () => {
  await listen()
  const events: string[] = []
  const happens = async (load: Load) => {
    while (load.goesOn()) {
      if (events.length < most) {
        const facts = { examName: '招聘' }
        const one = { code: 'examination.closed', subjectId: examId, examId, facts, once: null, createTime: new Date() }
        const { id } = await insert(t.app, Event, { ...one, toldTime: null } as never)
        events.push(id)
      }
      load.done()
      await sleep(300)
    }
  }
  const done = await underKills(fleet, kills, [happens], { pause: [300, 3000] })
  const open = async () => {
    const untold = await t.db.selectFrom('event').select('id').where('toldTime', 'is', null).execute()
    const unsent = t.db.selectFrom('hookdelivery').select('id')
    return untold.length + (await unsent.where('deliveryStatus', '<>', HookDeliveryStatus.delivered).execute()).length
  }
  await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 600_000, interval: 1000 })

  const { rows } = await t.pool.query<{ eventId: string; n: number; people: number }>(
    `SELECT "eventId", count(*)::int AS n, count(DISTINCT "userId")::int AS people FROM message GROUP BY 1 ORDER BY 1`,
  )
  const each = events.map(eventId => ({ eventId, n: people, people }))
  expect(rows).toEqual(each.toSorted((one, other) => Number(BigInt(one.eventId) - BigInt(other.eventId))))
  // One at a time, in their order: an event that is heard again comes right after itself.
  const inOrder = heard.filter((id, at) => id !== heard[at - 1])
  expect(inOrder).toEqual(events.map(id => `evt_${id}`))
  expect(heard.length - inOrder.length).toBeLessThanOrEqual(done.kills)
  expect(fleet.faults).toEqual([])
  console.log(`${events.length} events, ${rows.length * people} messages, ${heard.length} calls, ${done.kills} kills`)
})

test('whoever releases tickets is answered at once, and a telling that is killed half-way has told everybody within a minute', async () => {
  // The first of the crowd, of whom the others are copies, has no account.
  const holders = people - 1
  const stage = (act: string, body: object = {}) =>
    insist<unknown>(admin, `/blade-exam/examination/${act}`, { itemId, ...body })
  await stage('allotSeat', { seed: 'telling' })
  await stage('lockAllot')
  const begun = performance.now()
  await stage('releaseTicket')
  const answered = performance.now() - begun
  const told = async () => {
    const rows = t.db
      .selectFrom('message')
      .select(eb => [eb.fn.countAll<string>().as('n'), eb.fn.count<string>('userId').distinct().as('people')])
    const { n, people: one } = await rows
      .where('code', '=', 'examinationitem.ticketsReleased')
      .executeTakeFirstOrThrow()
    return { n: Number(n), people: Number(one) }
  }
  await vi.waitFor(async () => expect((await told()).n).toBeGreaterThan(0), { timeout: 60_000, interval: 5 })
  await Promise.all([fleet.kill(0), fleet.kill(1)])
  const halfWay = (await told()).n
  await vi.waitFor(async () => expect((await told()).n).toBeGreaterThanOrEqual(holders), {
    timeout: 600_000,
    interval: 100,
  })
  const took = performance.now() - begun
  expect(await told()).toEqual({ n: holders, people: holders })
  expect(halfWay).toBeLessThan(holders)
  console.log(`answered in ${Math.round(answered)} ms, killed after ${halfWay}, all told in ${Math.round(took)} ms`)
  expect([answered < 2000, took < 60_000]).toEqual([true, true])
  expect(fleet.faults).toEqual([])
})

test('an erasure that is killed goes on where it was: what was counted goes, once, and figures stay', async () => {
  await t.pool.query(
    `UPDATE examination SET "examStatus" = 3, "archiveTime" = now() - interval '3 years', "publicityEnd" = now() - interval '3 years'
     WHERE id = $1`,
    [examId],
  )
  const { examCode } = await t.db
    .selectFrom('examination')
    .select('examCode')
    .where('id', '=', examId)
    .executeTakeFirstOrThrow()
  await insist(admin, '/blade-exam/datapurge/submit', { examId })
  const purge = () => t.db.selectFrom('datapurge').selectAll().where('examId', '=', examId).executeTakeFirstOrThrow()
  const { id } = await purge()
  await insist(admin, `/blade-exam/datapurge/plan?id=${id}`)
  await t.pool.query(`UPDATE datapurge SET "dueDate" = current_date - 1 WHERE id = $1`, [id])
  const figures = async () => figuresOf(t.db, await purgedExam(t.db, examId))
  const before = await figures()
  await insist(second, `/blade-exam/datapurge/confirm?id=${id}`, { examCode })
  const lines = () => t.db.selectFrom('datapurgeline').selectAll().where('purgeId', '=', id).orderBy('sort').execute()
  const gone = async () => (await lines()).reduce((sum, line) => sum + line.doneNum, 0)
  let last = 0
  for (let n = 0; n < 4 && (await purge()).purgeStatus === PurgeStatus.running; n++) {
    await vi.waitFor(
      async () => expect((await purge()).purgeStatus !== PurgeStatus.running || (await gone()) > last).toBe(true),
      { timeout: 300_000, interval: 5 },
    )
    await Promise.all([fleet.kill(0), fleet.kill(1)])
    last = await gone()
  }
  await vi.waitFor(async () => expect((await purge()).purgeStatus).toBe(PurgeStatus.done), {
    timeout: 600_000,
    interval: 500,
  })
  const done = await purge()
  expect(done.doneNum).toBe(done.rowNum)
  for (const line of await lines())
    if (line.deed !== 'stay') expect([line.part, line.doneNum, line.leftNum]).toEqual([line.part, line.rowNum, 0])
  expect(await figures()).toEqual(before)
  const left = await t.pool.query(`SELECT 1 FROM signup WHERE "examId" = $1 AND name <> '已清除'`, [examId])
  expect(left.rows).toEqual([])
  expect((await fleet.insist('/blade-exam/datapurge/submit', { headers: admin.headers, body: { examId } })).code).toBe(
    30007,
  )
  expect(fleet.faults).toEqual([])
  console.log(`${done.rowNum} rows, killed first after ${last}`)
})
