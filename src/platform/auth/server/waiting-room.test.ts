import { expect, test } from 'vitest'
import { type Line, type Turn, WaitingRoom } from './waiting-room.ts'

const start = Date.UTC(2026, 9, 20, 1)
const at = (seconds: number) => new Date(start + seconds * 1000)

/** Rooms of several processes: the same key, and marks that all of them know. */
function rooms(count: number, least = 2): WaitingRoom[] {
  const used = new Set<string>()
  const spend = async (mark: string) => !used.has(mark) && Boolean(used.add(mark))
  const spent = async (marks: readonly string[]) => marks.filter(mark => used.has(mark))
  const options = { key: 'k', seconds: 0, pace: () => 500, least, spend, spent }
  return Array.from({ length: count }, () => new WaitingRoom(options))
}

let strangers = 0
/** Somebody who was never here. */
const somebody = () => `stranger ${strangers++}`

const account = 'account'

/** Asks for a place and fails when one has it without waiting. */
async function waits(
  room: WaitingRoom,
  ticket?: string,
  seconds = 0,
  line: Line = 'others',
  who = somebody(),
): Promise<Turn> {
  const place = await room.enter(line, { who, account, ticket }, at(seconds))
  if (typeof place === 'function') throw new Error('There was a place.')
  return place
}

/** Asks for a place and fails when one has to wait. */
async function isIn(
  room: WaitingRoom,
  ticket?: string,
  seconds = 0,
  line: Line = 'others',
  who = somebody(),
): Promise<() => void> {
  const place = await room.enter(line, { who, account, ticket }, at(seconds))
  if (typeof place !== 'function') throw new Error(`${place.ahead} are ahead.`)
  return place
}

test('who comes first is let in first, also when others ask again sooner', async () => {
  const [room] = rooms(1) as [WaitingRoom]
  const leave = [await isIn(room), await isIn(room)]
  const first = await waits(room, undefined, 1)
  const second = await waits(room, undefined, 2)
  expect([first.ahead, second.ahead]).toEqual([2, 3])
  expect(second.seconds).toBeGreaterThanOrEqual(2)
  leave[0]?.()
  // The place is the first one's; neither the second nor a newcomer gets it.
  await waits(room, second.ticket, 3)
  await waits(room, undefined, 3)
  await isIn(room, first.ticket, 4)
  leave[1]?.()
  await waits(room, undefined, 4)
  await isIn(room, second.ticket, 5)
})

test('who does not come back holds nobody up', async () => {
  const [room] = rooms(1, 1) as [WaitingRoom]
  const leave = await isIn(room)
  const gone = await waits(room)
  const there = await waits(room, undefined, 1)
  leave()
  await waits(room, there.ticket, 2)
  await isIn(room, there.ticket, 3 + gone.retryAfter + 10)
})

test('who asks again without the ticket has the place from before, and holds nobody up twice', async () => {
  const [one] = rooms(1, 1) as [WaitingRoom]
  const leave = await isIn(one)
  const first = await waits(one, undefined, 1, 'others', 'reloads')
  const later = await waits(one, undefined, 2)
  for (let i = 0; i < 5; i++) expect((await waits(one, undefined, 3, 'others', 'reloads')).ahead).toBe(1)
  expect((await waits(one, later.ticket, 3)).ahead).toBe(2)
  leave()
  // The ticket of before still is good: whoever asks as somebody else does not take the place away.
  const left = await isIn(one, first.ticket, 4, 'others', 'reloads')
  left()
  const again = await waits(one, first.ticket, 4)
  expect([again.ahead, again.ticket === first.ticket]).toEqual([1, false])
})

test('a ticket is for the account that was named', async () => {
  const [room] = rooms(1, 1) as [WaitingRoom]
  await isIn(room)
  const { ticket } = await waits(room, undefined, 1)
  const other = (await room.enter('others', { who: 'x', account: 'another', ticket }, at(2))) as Turn
  expect([other.ahead, other.ticket === ticket]).toEqual([2, false])
})

test('who has a ticket of another process gives the place up that was given without it', async () => {
  const [one, other] = rooms(2, 1) as [WaitingRoom, WaitingRoom]
  await isIn(one)
  await isIn(other)
  const early = await waits(other, undefined, 0, 'others', 'moves')
  await waits(one, undefined, 1, 'others', 'moves')
  const between = await waits(one, undefined, 2)
  expect(between.ahead).toBe(2)
  expect((await waits(one, early.ticket, 3, 'others', 'moves')).ahead).toBe(1)
  expect((await waits(one, between.ticket, 3)).ahead).toBe(2)
})

test('a ticket holds at another process, once, and not when it was made elsewhere or is too old', async () => {
  const [one, other] = rooms(2, 1) as [WaitingRoom, WaitingRoom]
  const leave = [await isIn(one), await isIn(other)]
  const { ticket } = await waits(one, undefined, 0)
  const later = await waits(other, undefined, 1)
  expect((await waits(other, ticket, 2)).ahead).toBe(1)
  leave[1]?.()
  await waits(other, later.ticket, 3)
  leave.push(await isIn(other, ticket, 3))
  leave[2]?.()
  // Used: it is worth no more than none.
  expect((await waits(other, ticket, 4)).ticket).not.toBe(ticket)
  const nothing = { spend: async () => true, spent: async () => [] }
  const stranger = new WaitingRoom({ key: 'x', seconds: 0, pace: () => 500, least: 0, ...nothing })
  const forged = await waits(stranger, undefined, -100)
  expect((await waits(other, forged.ticket, 4)).ahead).toBeGreaterThan(0)
  await isIn(other, undefined, 40 * 60)
  expect((await waits(other, later.ticket, 40 * 60)).ticket).not.toBe(later.ticket)
})

test('staff have places of their own', async () => {
  const [room] = rooms(1, 8) as [WaitingRoom]
  for (let i = 0; i < 8; i++) await isIn(room)
  for (let i = 0; i < 50; i++) await waits(room)
  await isIn(room, undefined, 1, 'staff')
  await isIn(room, undefined, 1, 'staff')
  expect((await waits(room, undefined, 1, 'staff')).ahead).toBe(2)
})

test('a crowd is let in in the order of its coming, at the pace of the work', async () => {
  const [one, other] = rooms(2, 3) as [WaitingRoom, WaitingRoom]
  const people = Array.from({ length: 60 }, (_, n) => ({ n, ticket: undefined as string | undefined, next: 0 }))
  const order: number[] = []
  let inside: { leave: () => void; until: number }[] = []
  for (let time = 0; order.length < people.length && time < 600; time++) {
    for (const one of inside.filter(each => each.until <= time)) one.leave()
    inside = inside.filter(each => each.until > time)
    for (const who of people.filter(each => each.next <= time && !order.includes(each.n))) {
      // A balancer sends everybody now here, now there.
      const comer = { who: `person ${who.n}`, account, ticket: who.ticket }
      const place = await (time % 2 ? one : other).enter('others', comer, at(time + who.n / 1000))
      if (typeof place === 'function') {
        order.push(who.n)
        inside.push({ leave: place, until: time + 1 })
      } else Object.assign(who, { ticket: place.ticket, next: time + place.retryAfter })
    }
  }
  expect(order).toHaveLength(people.length)
  const late = order.map((n, place) => place - n)
  // Who is let in much later than somebody who came after him would be an injustice.
  expect(Math.max(...late.map(Math.abs))).toBeLessThan(5)
})
