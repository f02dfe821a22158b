import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeatStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { draftOf, makeStage, passed, ticketsOf } from '../helper/seat-bench.ts'
import { drawableNow } from './drawable.ts'
import { watch } from './watch.ts'

// Two people draw the seats of a stage at one moment and lock the plan at one moment, open it and begin again, while servers
// are killed. At every moment there is a whole plan or none, and a ticket for everybody or for nobody.

const [people, rooms, kills] = [20, 4, 24]
const base = '/blade-exam/examination'

let t: TestApp
let fleet: Fleet
let staff: readonly [Caller, Caller]

beforeAll(async () => {
  t = await testApp()
  fleet = await startFleet(t)
  staff = [await signIn(t, { role: 'administrator' }), await signIn(t, { role: 'administrator' })]
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
})

test('plans and tickets: whole or not there, and no seat twice', async () => {
  const { examId, itemId } = await makeStage(t, rooms, drawableNow())
  for (let n = 0; n < people; n++) await passed(t, examId)
  /** What one of the two does; refusals because the other was faster are said by their codes. */
  const act = (who: 0 | 1, name: string, more: object = {}) =>
    fleet.insist<{ num: number }>(`${base}/${name}`, {
      headers: staff[who].headers,
      body: { itemId, ...more },
      on: who,
    })
  const both = async (name: string, more: () => object = () => ({})) =>
    (await Promise.all([act(0, name, more()), act(1, name, more())])).map(one => one.code).toSorted((a, b) => a - b)
  let rounds = 0
  const conductor = async (load: Load) => {
    while (load.goesOn()) {
      expect(await both('allotSeat', () => ({ seed: randomUUID() }))).toEqual([200, 200])
      load.done()
      expect(await both('lockAllot')).toEqual([200, 25008])
      load.done()
      const [plan, tickets] = [await draftOf(t, itemId), await ticketsOf(t, itemId)]
      const seat = (one: { signupId: string; roomId: string | null; seatNo: number | string }) =>
        `${one.signupId} ${one.roomId} ${Number(one.seatNo)}`
      expect(tickets.map(seat).toSorted()).toEqual(plan.map(seat).toSorted())
      expect(new Set(tickets.map(one => one.ticketNo)).size).toBe(people)
      expect(await both('unlockAllot')).toEqual([200, 29009])
      load.done()
      rounds++
    }
  }
  const whole = watch(
    t.url,
    `SELECT i."seatStatus", d.n AS drawn, d.seats AS "drawnSeats", k.n AS tickets, k.seats, k.numbers FROM examinationitem i,
      (SELECT count(*)::int AS n, count(DISTINCT ("roomId", "seatNo"))::int AS seats FROM seat_draft WHERE "itemId" = $1) d,
      (SELECT count(*)::int AS n, count(DISTINCT ("roomId", "seatNo"))::int AS seats, count(DISTINCT "ticketNo")::int AS numbers
        FROM examinationticket WHERE "itemId" = $1 AND "isDeleted" = 0) k WHERE i.id = $1`,
    [itemId],
    row => {
      const plan = row.seatStatus === SeatStatus.none ? 0 : people
      const made = row.seatStatus === SeatStatus.locked ? people : 0
      const { drawn, drawnSeats, tickets, seats, numbers } = row
      return [drawn, drawnSeats].every(n => n === plan) && [tickets, seats, numbers].every(n => n === made)
    },
  )
  const { done } = await underKills(fleet, kills, [conductor])
  expect(await whole.end()).toEqual([])
  expect(rounds).toBeGreaterThan(0)
  expect(fleet.faults).toEqual([])
  console.log(`${done} acts, ${rounds} plans locked and opened`)
})
