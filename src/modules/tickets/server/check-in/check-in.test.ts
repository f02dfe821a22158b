import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Examuser } from '#schemas/exams/examuser'
import { shanghai, type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { appoint, asCaller, windows } from '../../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../../tests/helper/person.ts'
import { insert } from '../../../../../tests/helper/sample.ts'
import { drawing, makeStage, passed, seatStaff, ticketsOf } from '../../../../../tests/helper/seat-bench.ts'
import type { SentMark } from '../../check-in/contract.ts'
import { signTicket, verifyTicket } from '../ticket-code.ts'

interface Mark {
  id: string
  kind: string
  at: number
  by: string
}
interface Bundle {
  room: { roomNo: string; latestTime: string }
  roster: { ticketId: string; ticketNo: string; seatNo: string; name: string; idCard: string; marks: Mark[] }[]
  publicKey: string
  revoked: string[]
  rooms: { serial: number; roomNo: string }[]
  serverTime: number
  validUntil: number
  rehearsal: boolean
}
interface Synced {
  accepted: string[]
  conflicts: { id: string; reason: string; by: string; at: number }[]
  marks: Record<string, Mark[]>
}

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
const base = '/blade-exam/checkIn'
const start = windows.examStartTime
/** Before the entry closes half an hour after the beginning. */
const early = new Date(start.getTime() - 20 * 60_000)
const closed = new Date(start.getTime() + 31 * 60_000)

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
})
afterAll(() => t.close())

async function at(time: Date | string) {
  t.setNow(time)
  await stayLoggedIn(t)
}

/** Somebody appointed to an exam as a proctor, with the calls of that person. */
async function proctorOf(examId: string) {
  const who = await signIn(t, { role: 'proctor' })
  await insert(t.app, Examuser, { examId, userId: who.userId, userName: '监考', examRole: 5, enable: 1, endTime: null })
  return { who, ...callsOf(who) }
}

function callsOf(who: Caller) {
  const { get, post } = asCaller(t, who)
  return {
    bundle: (roomId: string) => get<Bundle>(`${base}/bundle?roomId=${roomId}`),
    rehearse: (roomId: string) => get<Bundle>(`${base}/bundle?roomId=${roomId}&rehearsal=true`),
    rooms: (itemId: string) => get<{ roomId: string; arrived: number }[]>(`${base}/rooms?itemId=${itemId}`),
    sync: (events: readonly object[], roomId?: string) =>
      post<Synced>(`${base}/sync`, { events, ...(roomId ? { roomId } : {}) }),
    try: (events: readonly object[], roomId: string) =>
      post<Synced>(`${base}/sync`, { events, roomId, rehearsal: true }),
    get,
    post,
  }
}

const place = (roomId: string, ...people: { who: Caller }[]) =>
  staff.post(`${base}/appoint`, { roomId, userIds: people.map(one => one.who.userId) })

/** A stage on its day with two rooms of six, nine people in them, and a proctor at the first door. */
async function examDay(release = true) {
  await at(drawing)
  const made = await makeStage(t, 2)
  for (let i = 0; i < 9; i++) await passed(t, made.examId)
  for (const name of ['allotSeat', 'lockAllot', ...(release ? ['releaseTicket'] : [])])
    await staff.act(name, made.itemId)
  const tickets = await ticketsOf(t, made.itemId)
  const [first, second] = [...new Set(tickets.map(one => one.roomId))] as [string, string]
  const own = tickets.filter(one => one.roomId === first)
  const proctor = await proctorOf(made.examId)
  expect((await place(first, proctor)).code).toBe(200)
  await at(early)
  return { ...made, tickets, first, second, own, other: tickets.filter(one => one.roomId === second), proctor }
}

const newId = () => randomBytes(16).toString('hex')
const mark = (ticketId: string, kind: SentMark['kind'], more: Partial<SentMark> = {}) => ({
  id: newId(),
  ticketId,
  kind,
  at: t.app.now().getTime(),
  ...more,
})

const saying = async (id: string) => {
  const { rows } = await t.pool.query(
    'SELECT attend, "checkInTime" AS time, "checkInBy" AS by FROM examinationticket WHERE id = $1',
    [id],
  )
  return rows[0] as { attend: number; time: Date | null; by: string | null }
}

const reasons = (answer: { data: Synced }) => answer.data.conflicts.map(one => one.reason)

describe('who stands at a door', () => {
  test('a proctor has the assigned rooms, of an exam with an appointment, as long as that holds', async () => {
    const { proctor, first, second, own, other, itemId, examId } = await examDay()
    expect((await proctor.bundle(first)).code).toBe(200)
    expect((await proctor.bundle(second)).code).toBe(29001)
    expect((await proctor.rooms(itemId)).data.map(one => one.roomId)).toEqual([first])
    const answer = await proctor.sync([mark(own[0]!.id, 'arrive'), mark(other[0]!.id, 'arrive')])
    expect([answer.data.accepted.length, reasons(answer)]).toEqual([1, ['unknown']])
    expect((await saying(other[0]!.id)).attend).toBe(0)
    expect((await proctor.sync([mark(own[1]!.id, 'arrive')], second)).data).toMatchObject({ conflicts: [], marks: '' })
    expect((await proctor.get('/blade-ticket/examinationticket/page')).status).toBe(403)
    expect((await proctor.post(`${base}/appoint`, { roomId: second, userIds: [proctor.who.userId] })).status).toBe(403)
    const stranger = await signIn(t, { role: 'proctor' })
    expect((await place(first, { who: stranger })).code).toBe(29005)
    const nextExam = await proctorOf((await makeStage(t, 1)).examId)
    expect((await place(first, nextExam)).code).toBe(29005)
    await t.pool.query('UPDATE examuser SET "endTime" = $2 WHERE "examId" = $1', [examId, early])
    expect((await proctor.bundle(first)).code).toBe(29001)
    expect(reasons(await proctor.sync([mark(own[1]!.id, 'arrive')]))).toEqual(['unknown'])
  })

  test('whoever runs the exam has all of its rooms, and none of another', async () => {
    const { examId, itemId, first, second, own } = await examDay()
    const who = await signIn(t, { role: 'exam_admin' })
    const runs = callsOf(who)
    await appoint(t, examId, who, 2)
    expect((await runs.rooms(itemId)).data).toEqual([])
    await appoint(t, examId, who)
    expect((await runs.rooms(itemId)).data.map(one => one.roomId).toSorted()).toEqual([first, second].toSorted())
    await runs.sync([mark(own[0]!.id, 'arrive'), mark(own[1]!.id, 'breach', { reason: '携带手机' })])
    const [stage] = (await runs.get<{ people: number; arrived: number; breach: number }[]>(`${base}/stages`)).data
    expect(stage).toMatchObject({ people: 9, arrived: 1, breach: 1, absent: 0, rooms: 2 })
    const people = (await runs.get<{ userId: string }[]>(`${base}/proctors?itemId=${itemId}`)).data
    expect(people).toHaveLength(1)
  })
})

describe('what a door takes along', () => {
  test('holds its people with masked numbers, the key, void tickets, and until when it is good', async () => {
    const { proctor, first, own, other } = await examDay()
    await staff.post('/blade-exam/examination/voidTicket', { ids: other[0]!.id, reason: '取消资格' })
    const { data } = await proctor.bundle(first)
    expect(data.roster.map(one => one.ticketNo).toSorted()).toEqual(own.map(one => one.ticketNo).toSorted())
    for (const one of data.roster) expect(one.idCard).toMatch(/^\d{6}\*{8}\d{3}[\dX]$/)
    const whole = own.map(one => t.app.vault.open(one.idCard))
    expect(whole.filter(number => JSON.stringify(data).includes(number))).toEqual([])
    expect(verifyTicket(own[0]!.qrPayload, data.publicKey)?.ticketNo).toBe(own[0]!.ticketNo)
    expect(data.revoked).toEqual([other[0]!.ticketNo])
    expect(data.rooms.map(one => one.roomNo).toSorted()).toEqual(['001', '002'])
    expect(data.validUntil - data.serverTime).toBe(24 * 3600_000)
    const { rows } = await t.pool.query(
      `SELECT count(*)::int AS n FROM auditlog WHERE event = 'export' AND "userId" = $1`,
      [proctor.who.userId],
    )
    expect(rows[0].n).toBe(1)
  })

  test('is given out from a day before to a day after, and only when the tickets are out', async () => {
    const { proctor, first, own, itemId } = await examDay()
    const day = 24 * 3600_000
    for (const [time, code] of [
      [start.getTime() - day - 1, 25012],
      [start.getTime() - day, 200],
      [windows.examEndTime.getTime() + day - 1, 200],
      [windows.examEndTime.getTime() + day, 25012],
    ] as const) {
      await at(new Date(time))
      expect((await proctor.bundle(first)).code).toBe(code)
    }
    expect((await proctor.bundle(first)).msg).toBe('签到未开放或已结束（2027-01-08 09:00 – 2027-01-10 11:00）')
    const late = mark(own[0]!.id, 'arrive', { at: early.getTime() })
    expect(reasons(await proctor.sync([late]))).toEqual(['closed'])
    expect((await saying(own[0]!.id)).attend).toBe(0)
    await at(early)
    await staff.act('recallTicket', itemId, { reason: 'x' })
    expect((await proctor.bundle(first)).code).toBe(25002)
  })
})

describe('what was noted', () => {
  test('counts once however often it is sent', async () => {
    const { proctor, own, first } = await examDay()
    const events = [mark(own[0]!.id, 'arrive'), mark(own[1]!.id, 'arrive', { code: own[1]!.qrPayload })]
    const answers = await Promise.all([proctor.sync(events), proctor.sync(events)])
    const again = await proctor.sync([...events].reverse(), first)
    for (const { data } of [...answers, again]) {
      expect(data.conflicts).toEqual([])
      expect(data.accepted.toSorted()).toEqual(events.map(one => one.id).toSorted())
    }
    const { rows } = await t.pool.query('SELECT count(*)::int AS n FROM check_in WHERE "ticketId" = ANY($1)', [
      own.map(one => one.id),
    ])
    expect(rows[0].n).toBe(2)
    expect(await saying(own[0]!.id)).toEqual({ attend: 1, time: early, by: proctor.who.userId })
    expect(again.data.marks[own[0]!.id]).toMatchObject([{ id: events[0]!.id, kind: 'arrive' }])
    const someoneElse = await proctorOf((await makeStage(t, 1)).examId)
    expect(reasons(await someoneElse.sync(events))).toEqual(['unknown', 'unknown'])
  })

  test('by two at one person at once: one is accepted, the other told; the earlier arrival stands', async () => {
    const { proctor, own, first, second: elsewhere, examId } = await examDay()
    const second = await proctorOf(examId)
    await place(first, proctor, second)
    const id = own[0]!.id
    const [a, b] = [mark(id, 'arrive'), mark(id, 'arrive', { at: early.getTime() - 60_000 })]
    const answers = await Promise.all([proctor.sync([a]), second.sync([b])])
    expect(answers.flatMap(one => one.data.accepted)).toHaveLength(1)
    expect(answers.flatMap(reasons)).toEqual(['twice'])
    expect(await saying(id)).toEqual({ attend: 1, time: new Date(b.at), by: second.who.userId })
    await second.sync([mark(id, 'undo', { undoes: b.id, reason: '点错人' })])
    expect(await saying(id)).toEqual({ attend: 1, time: early, by: proctor.who.userId })
    const records = (room: string) =>
      proctor.get<{ kind: string; conflict: string }[]>(`${base}/records?roomId=${room}`)
    const kept = (await records(first)).data
    expect(kept.map(one => one.kind).toSorted()).toEqual(['arrive', 'arrive', 'undo'])
    expect(kept.map(one => one.conflict).filter(Boolean)).toEqual(['twice'])
    expect((await records(elsewhere)).code).toBe(29001)
  })

  test('comes to the same in whatever order it arrives', async () => {
    const { proctor, own } = await examDay()
    await at(closed)
    const story = (ticketId: string) => {
      const wrong = mark(ticketId, 'arrive', { at: early.getTime() })
      const absent = mark(ticketId, 'absent')
      const undo = mark(ticketId, 'undo', { undoes: wrong.id, reason: '点错人' })
      return [wrong, undo, absent, mark(ticketId, 'arrive', { at: early.getTime() + 60_000 })]
    }
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [2, 0, 3, 1],
    ]
    for (const [i, order] of orders.entries()) {
      const told = story(own[i]!.id)
      for (const at of order) await proctor.sync([told[at]!])
      expect(await saying(own[i]!.id)).toMatchObject({ attend: 1, time: new Date(early.getTime() + 60_000) })
    }
  })

  test('is believed about the time within the server’s clock', async () => {
    const { proctor, own } = await examDay()
    const [future, past] = [mark(own[0]!.id, 'arrive', { at: 4e12 }), mark(own[1]!.id, 'arrive', { at: 5 })]
    expect((await proctor.sync([future, past])).data.accepted).toHaveLength(2)
    expect((await saying(own[0]!.id)).time).toEqual(early)
    expect((await saying(own[1]!.id)).time).toEqual(shanghai('2027-01-08 09:00:00'))
    const kept = await t.db.selectFrom('check_in').select('deviceTime').where('id', '=', past.id).execute()
    expect(kept).toEqual([{ deviceTime: new Date(5) }])
  })

  test('as absent waits for the end of the entry; an arrival after it needs a reason', async () => {
    const { proctor, own } = await examDay()
    const [one, two, three] = own as [(typeof own)[0], (typeof own)[0], (typeof own)[0]]
    expect(reasons(await proctor.sync([mark(one.id, 'absent')]))).toEqual(['early'])
    expect((await saying(one.id)).attend).toBe(0)
    await at(closed)
    expect((await proctor.sync([mark(one.id, 'absent')])).data.accepted).toHaveLength(1)
    expect((await saying(one.id)).attend).toBe(2)
    expect(reasons(await proctor.sync([mark(two.id, 'arrive')]))).toEqual(['late'])
    const sure = [mark(two.id, 'arrive', { reason: '漏登记' }), mark(three.id, 'arrive', { at: early.getTime() })]
    expect((await proctor.sync(sure)).data.accepted).toHaveLength(2)
    expect(reasons(await proctor.sync([mark(two.id, 'absent')]))).toEqual(['arrived'])
    expect((await saying(two.id)).attend).toBe(1)
    // What is taken back, and breaking the rules, have a reason.
    for (const bare of [mark(two.id, 'undo', { undoes: sure[0]!.id }), mark(two.id, 'breach')])
      expect((await proctor.sync([bare])).code).toBe(29005)
    expect((await saying(two.id)).attend).toBe(1)
  })
})

describe('a code that comes along', () => {
  test('must be of this ticket, whole and good', async () => {
    const { proctor, own, other } = await examDay()
    const [one, two] = own as [(typeof own)[0], (typeof own)[0]]
    const flip = (code: string) => code.slice(0, 9) + (code[9] === '0' ? '1' : '0') + code.slice(10)
    const send = async (code: string, ticketId = one.id) =>
      reasons(await proctor.sync([mark(ticketId, 'arrive', { code })]))
    expect(await send(flip(one.qrPayload))).toEqual(['forged'])
    expect(await send('JX1:0')).toEqual(['forged'])
    expect(await send(other[0]!.qrPayload)).toEqual(['stale'])
    const { publicKey, privateKey } = t.app.secrets.pair('ticket')
    const payload = verifyTicket(one.qrPayload, publicKey)!
    expect(await send(signTicket({ ...payload, seat: '99' }, privateKey))).toEqual(['stale'])
    expect((await saying(one.id)).attend).toBe(0)
    expect(await send(one.qrPayload)).toEqual([])
    await staff.post('/blade-exam/examination/reissueTicket', { ticketIds: two.id, reason: '更正' })
    expect(await send(two.qrPayload, two.id)).toEqual(['void'])
    expect(reasons(await proctor.sync([mark(two.id, 'arrive')]))).toEqual(['void'])
    const { rows } = await sql<{ conflict: string; counts: boolean }>`SELECT DISTINCT conflict, counts FROM check_in
      WHERE "ticketId" = ${one.id} AND conflict IS NOT NULL ORDER BY 1`.execute(t.db)
    expect(rows).toEqual([
      { conflict: 'forged', counts: false },
      { conflict: 'stale', counts: false },
    ])
  })
})

describe('a rehearsal', () => {
  const day = 24 * 3600_000
  const opening = new Date(start.getTime() - day)
  const noted = async (itemId: string) =>
    (
      await t.pool.query<{ rehearsal: boolean; n: number }>(
        `SELECT c.rehearsal, count(*)::int AS n FROM check_in c JOIN examinationticket k ON k.id = c."ticketId"
          WHERE k."itemId" = $1 GROUP BY 1 ORDER BY 1`,
        [itemId],
      )
    ).rows

  test('is held before the check-in opens, at the same doors; what is noted in it says nothing about anybody', async () => {
    const { proctor, first, second, own, itemId } = await examDay()
    await at(new Date(opening.getTime() - 3 * 3600_000))
    expect((await proctor.bundle(first)).code).toBe(25012)
    expect((await proctor.rehearse(second)).code).toBe(29001)
    const { data } = await proctor.rehearse(first)
    expect([data.rehearsal, data.roster.length]).toEqual([true, own.length])
    // Not even without a network does it last into the real check-in.
    expect(data.validUntil).toBe(opening.getTime())
    const [a, b, c] = own as [(typeof own)[0], (typeof own)[0], (typeof own)[0]]
    const arrival = mark(a.id, 'arrive', { code: a.qrPayload })
    const said = [arrival, mark(b.id, 'absent'), mark(c.id, 'breach', { reason: '携带手机' })]
    const answer = await proctor.try(said, first)
    expect(answer.data.accepted.toSorted()).toEqual(said.map(one => one.id).toSorted())
    expect(answer.data.marks[a.id]).toMatchObject([{ id: arrival.id, kind: 'arrive' }])
    expect(reasons(await proctor.try([mark(a.id, 'arrive')], first))).toEqual(['twice'])
    for (const one of [a, b, c]) expect(await saying(one.id)).toEqual({ attend: 0, time: null, by: null })
    const [stage] = (await proctor.get<object[]>(`${base}/stages`)).data
    expect(stage).toMatchObject({ arrived: 0, absent: 0, breach: 0, rehearsed: 4 })
    const kept = (await proctor.get<{ rehearsal: boolean }[]>(`${base}/records?roomId=${first}`)).data
    expect(kept.map(one => one.rehearsal)).toEqual([true, true, true, true])
    // A real note is refused as before, and neither takes the place of the other.
    expect(reasons(await proctor.sync([mark(a.id, 'arrive')]))).toEqual(['closed'])
    expect(reasons(await proctor.sync([arrival]))).toEqual(['unknown'])
    expect(await noted(itemId)).toEqual([
      { rehearsal: false, n: 1 },
      { rehearsal: true, n: 4 },
    ])
  })

  test('is over when the check-in opens: nothing of it counts, and the first real exchange of the stage deletes it', async () => {
    const { proctor, first, second, own, other, itemId, examId } = await examDay()
    await at(new Date(opening.getTime() - 1))
    const elsewhere = await proctorOf(examId)
    await place(second, elsewhere)
    const [a, b] = own as [(typeof own)[0], (typeof own)[0]]
    await proctor.try([mark(a.id, 'arrive')], first)
    await elsewhere.try([mark(other[0]!.id, 'absent')], second)
    await at(opening)
    expect((await proctor.rehearse(first)).code).toBe(25013)
    const late = await proctor.try([mark(b.id, 'arrive')], first)
    expect([reasons(late), (await saying(b.id)).attend]).toEqual([['over'], 0])
    const { data } = await proctor.bundle(first)
    expect(data.roster.flatMap(one => one.marks)).toEqual([])
    const real = mark(a.id, 'arrive')
    const answer = await proctor.sync([real], first)
    expect(answer.data).toMatchObject({ accepted: [real.id], conflicts: [] })
    expect(answer.data.marks).toEqual({ [a.id]: [expect.objectContaining({ id: real.id })] })
    expect(await noted(itemId)).toEqual([{ rehearsal: false, n: 1 }])
    await at(new Date(windows.examEndTime.getTime() + day + 1))
    expect((await proctor.rehearse(first)).code).toBe(25013)
  })

  test('is cleared by a button, in the rooms of whoever asks', async () => {
    const { proctor, first, second, own, other, itemId, examId } = await examDay()
    await at(new Date(opening.getTime() - 1))
    const elsewhere = await proctorOf(examId)
    await place(second, elsewhere)
    await proctor.try([mark(own[0]!.id, 'arrive')], first)
    await elsewhere.try([mark(other[0]!.id, 'arrive')], second)
    const clear = (who: { post: typeof proctor.post }) => who.post(`${base}/clearRehearsal`, { itemId })
    expect((await clear(await proctorOf((await makeStage(t, 1)).examId))).code).toBe(29001)
    expect((await clear(proctor)).code).toBe(200)
    expect((await proctor.try([], first)).data.marks).toEqual({})
    expect(Object.keys((await elsewhere.try([], second)).data.marks)).toEqual([other[0]!.id])
    expect((await clear(staff)).code).toBe(200)
    expect(await noted(itemId)).toEqual([])
  })
})
