import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Payrecord } from '#schemas/payment/payrecord'
import { Result } from '#schemas/results/result'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller } from '../../../../tests/helper/exam-bench.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { draftOf, drawing, makeStage, passed, seatStaff, ticketsOf } from '../../../../tests/helper/seat-bench.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
const base = '/blade-exam/examination'

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
})
afterAll(() => t.close())

type Seat = Awaited<ReturnType<typeof draftOf>>[number]
type Drawn = { total: number; rooms: number; unplaced: unknown[]; conflicts: number; seed: string }
const draw = (itemId: string, more: object = {}) => staff.act<Drawn>('allotSeat', itemId, more)
const stateOf = async (itemId: string) =>
  (await t.pool.query('SELECT "seatStatus", "ticketRelease" FROM examinationitem WHERE id = $1', [itemId])).rows[0]
const many = async (examId: string, n: number) => {
  for (let i = 0; i < n; i++) await passed(t, examId)
}

describe('who is seated', () => {
  test('at an interview only who is on the published list of the stage before', async () => {
    const { examId, itemId, stage, post } = await makeStage(t, 1, { stage: { itemName: '面试', candidateRule: 2 } })
    const startTime = new Date(Number(stage.startTime) - 86_400_000)
    const written = await insert(t.app, Examinationitem, { examId, itemName: '笔试', itemStatus: 1, startTime })
    await t.pool.query('UPDATE examitems SET "itemIds" = $2 WHERE id = $1', [post.id, `${itemId},${written.id}`])
    const [listed, waiting, out] = [await passed(t, examId), await passed(t, examId), await passed(t, examId)]
    const result = { examId, itemId: written.id, isDeleted: 0 } as const
    await insert(t.app, Result, { ...result, signupId: listed.id, isNext: 1, resultStatus: 1 })
    await insert(t.app, Result, { ...result, signupId: waiting.id, isNext: 1, resultStatus: 0 })
    await insert(t.app, Result, { ...result, signupId: out.id, isNext: 0, resultStatus: 1 })
    expect(await draw(itemId)).toMatchObject({ data: { total: 1 } })
    expect(await draftOf(t, itemId)).toMatchObject([{ signupId: listed.id }])
  })

  const left: [string, Record<string, unknown>][] = [
    ['a draft', { signStatus: 0 }],
    ['who gave up', { signStatus: 2 }],
    ['who was struck off', { signStatus: 9 }],
    ['who was refused', { examine: 2 }],
    ['who was sent back and let the time pass', { examine: 3 }],
    ['who declined another position', { reduceState: 4 }],
    ['whose position is unknown', { code: 'X' }],
    ['whose final position is unknown', { finalCode: 'X' }],
    ['who was deleted', { isDeleted: 1 }],
  ]
  test.each(left)('not %s', async (_, more) => {
    const { examId, itemId } = await makeStage(t)
    const one = await passed(t, examId)
    await passed(t, examId, more as object)
    expect((await draw(itemId)).data).toMatchObject({ total: 1 })
    expect((await draftOf(t, itemId)).map(seat => seat.signupId)).toEqual([one.id])
  })

  test('who moved to another position, is; of a cancelled position or another stage, nobody', async () => {
    const { examId, itemId, post } = await makeStage(t)
    await passed(t, examId, { reduceState: 3, code: 'GONE', finalCode: 'A01' })
    expect((await draw(itemId)).data).toMatchObject({ total: 1 })
    await t.pool.query('UPDATE examitems SET "itemIds" = $2 WHERE id = $1', [post.id, `${itemId}0,1${itemId}`])
    expect((await draw(itemId)).code).toBe(29005)
    await t.pool.query('UPDATE examitems SET "itemIds" = $2, "postStatus" = 3 WHERE id = $1', [post.id, `1,${itemId}`])
    expect((await draw(itemId)).code).toBe(29005)
    await t.pool.query('UPDATE examitems SET "postStatus" = 4 WHERE id = $1', [post.id])
    expect((await draw(itemId)).code).toBe(200)
  })

  test('of two stages of review, only who passed both', async () => {
    const { examId, itemId } = await makeStage(t, 2, { exam: { examineMode: 2 } })
    const one = await passed(t, examId, { reviewStatus: 1 })
    await passed(t, examId, { reviewStatus: 2 })
    expect((await draw(itemId)).data).toMatchObject({ total: 1 })
    expect((await draftOf(t, itemId))[0]?.signupId).toBe(one.id)
  })

  test('of a charged stage, who paid or need not', async () => {
    const { examId, itemId } = await makeStage(t, 2, {
      exam: { needPay: 1, payStartTime: shanghai('2026-12-11 09:00:00'), payEndTime: shanghai('2026-12-15 09:00:00') },
      stage: { needPay: 1, fee: 8000 },
    })
    const due = async (payState: number) => {
      const { id } = await passed(t, examId)
      await insert(t.app, Payrecord, { examId, itemId, signupId: id, payState: payState as 0 })
      return id
    }
    const [paid, exempt] = [await due(1), await due(2)]
    for (const state of [3, 4, 5]) await due(state)
    await passed(t, examId)
    expect((await draw(itemId)).data).toMatchObject({ total: 2 })
    const seated = (await draftOf(t, itemId)).map(seat => seat.signupId)
    expect(seated.toSorted()).toEqual([paid, exempt].toSorted())
  })
})

describe('a draw is refused', () => {
  test.each([
    ['unreviewed', { examine: 0 }, {}, 25010],
    ['waiting for the second review', { examine: 1, reviewStatus: 0 }, { examineMode: 2 }, 25010],
    ['sent back to the first review', { examine: 1, reviewStatus: 3 }, { examineMode: 2 }, 25010],
    ['correcting', { examine: 3 }, { modifyEndTime: shanghai('2026-12-20 09:00:01') }, 25010],
    ['to choose anew', { reduceState: 1 }, {}, 23007],
    ['choosing anew', { reduceState: 2 }, {}, 23007],
  ] as const)('while somebody is %s', async (_, more, exam, code) => {
    const { examId, itemId } = await makeStage(t, 2, { exam })
    await passed(t, examId, { reviewStatus: 1 })
    await passed(t, examId, more)
    const answer = await draw(itemId)
    expect([answer.code, answer.msg]).toEqual([code, expect.stringContaining('1人')])
    expect(await draftOf(t, itemId)).toEqual([])
    expect((await stateOf(itemId)).seatStatus).toBe(0)
  })

  test('while somebody owes the fee, and until the pay window is over while somebody has not been asked for it', async () => {
    const { examId, itemId } = await makeStage(t, 2, {
      exam: { needPay: 1, payStartTime: shanghai('2026-12-11 09:00:00'), payEndTime: shanghai('2026-12-20 09:00:01') },
      stage: { needPay: 1, fee: 8000 },
    })
    const [one, other] = [await passed(t, examId), await passed(t, examId)]
    await insert(t.app, Payrecord, { examId, itemId, signupId: one.id, payState: 1 })
    expect((await draw(itemId)).code).toBe(25010)
    const owed = await insert(t.app, Payrecord, { examId, itemId, signupId: other.id, payState: 0 })
    expect((await draw(itemId)).msg).toContain('1人')
    await t.pool.query('UPDATE payrecord SET "payState" = 2 WHERE id = $1', [owed.id])
    expect((await draw(itemId)).data).toMatchObject({ total: 2 })
  })

  test('when the seats do not suffice, with nothing written', async () => {
    const { examId, itemId } = await makeStage(t, 1)
    await many(examId, 6)
    const first = await draw(itemId, { seed: 'kept' })
    expect(first.data.total).toBe(6)
    const before = await draftOf(t, itemId)
    await passed(t, examId)
    expect(await draw(itemId)).toMatchObject({ status: 409, code: 25007, msg: '座位不足：需7，可用6' })
    expect((await draw(itemId, { reserve: 1 })).msg).toContain('可用5')
    await t.pool.query('UPDATE examroom SET enable = 0 WHERE "itemId" = $1', [itemId])
    expect((await draw(itemId)).msg).toContain('可用0')
    expect(await draftOf(t, itemId)).toEqual(before)
  })

  test('for values that make no sense', async () => {
    const { examId, itemId } = await makeStage(t)
    await passed(t, examId)
    for (const wrong of [{ strategy: 4 }, { reserve: -1 }, { reserve: 1.5 }, { seed: 'a b' }, { seed: 'x'.repeat(65) }])
      expect([wrong, (await draw(itemId, wrong)).code]).toEqual([wrong, 29005])
    expect((await draw('1')).code).toBe(29001)
    expect((await draw('x')).code).toBe(29005)
  })

  test('to whoever is not appointed or lacks the permission', async () => {
    const { examId, itemId } = await makeStage(t)
    const { id } = await passed(t, examId)
    const officer = asCaller(t, await signIn(t, { role: 'exam_admin' }))
    const candidate = asCaller(t, await signIn(t, { role: 'candidate' }))
    const acts = ['allotSeat', 'clearAllot', 'lockAllot', 'unlockAllot', 'releaseTicket', 'recallTicket']
    for (const name of acts) {
      expect([name, (await officer.post(`${base}/${name}`, { itemId, reason: 'x' })).code]).toEqual([name, 29001])
      expect([name, (await candidate.post(`${base}/${name}`, { itemId })).status]).toEqual([name, 403])
    }
    expect((await officer.post(`${base}/allotSwap`, { itemId, signupId: id, roomId: '1', seatNo: 1 })).code).toBe(29001)
    expect((await officer.get(`${base}/getAllotInfo?itemId=${itemId}`)).code).toBe(29001)
    expect((await officer.get(`${base}/getAllotStages?examId=${examId}`)).code).toBe(21001)
  })
})

describe('a draft', () => {
  test('seats everybody once, and comes out the same from its seed', async () => {
    const { examId, itemId } = await makeStage(t, 3)
    await many(examId, 15)
    for (const strategy of [1, 2, 3]) {
      const one = await draw(itemId, { strategy, snake: true })
      expect(one.data).toMatchObject({ total: 15, rooms: 3, unplaced: [], seed: expect.stringMatching(/^\w{8,}$/) })
      const plan = await draftOf(t, itemId)
      expect(new Set(plan.map(seat => `${seat.roomId} ${seat.seatNo}`)).size).toBe(15)
      expect(new Set(plan.map(seat => `${seat.roomId} ${seat.row} ${seat.col}`)).size).toBe(15)
      await draw(itemId, { strategy, snake: true, seed: 'other' })
      if (strategy !== 2) expect(await draftOf(t, itemId)).not.toEqual(plan)
      await draw(itemId, { strategy, snake: true, seed: one.data.seed })
      expect(await draftOf(t, itemId)).toEqual(plan)
    }
    expect(await ticketsOf(t, itemId)).toEqual([])
    expect((await stateOf(itemId)).seatStatus).toBe(1)
  })

  test('is shown with its figures, rooms and people', async () => {
    const { examId, itemId } = await makeStage(t)
    await many(examId, 7)
    await draw(itemId, { seed: 'abc' })
    const { data: stages } = await staff.get<object[]>(`${base}/getAllotStages?examId=${examId}`)
    expect(stages).toMatchObject([{ itemId, people: 7, capacity: 12, rooms: 2, open: 0, moving: 0, seatStatus: 1 }])
    type Info = { plan: object; rooms: { roomNo: string; rows: number; cols: number; seats: object[] }[] }
    const { data } = await staff.get<Info>(`${base}/getAllotInfo?itemId=${itemId}`)
    expect(data.plan).toMatchObject({ seed: 'abc', total: 7, strategy: 1, time: drawing })
    expect(data.rooms.map(room => [room.roomNo, room.rows, room.cols, room.seats.length])).toEqual([
      ['001', 3, 2, 6],
      ['002', 3, 2, 1],
    ])
    expect(data.rooms[0]?.seats[0]).toMatchObject({ seatNo: 1, unit: 'u1', code: 'A01', ticketNo: '' })
  })

  test('lets two people change places or one take an empty seat', async () => {
    const { examId, itemId } = await makeStage(t)
    await many(examId, 7)
    await draw(itemId)
    const [one, other] = (await draftOf(t, itemId)) as [Seat, Seat]
    const swap = (signupId: string, roomId: string, seatNo: unknown, more: object = {}) =>
      staff.act('allotSwap', itemId, { signupId, roomId, seatNo, ...more })
    expect((await swap(one.signupId, other.roomId, other.seatNo)).code).toBe(200)
    const after = new Map((await draftOf(t, itemId)).map(seat => [seat.signupId, seat]))
    expect(after.get(one.signupId)).toEqual({ ...other, signupId: one.signupId })
    expect(after.get(other.signupId)).toEqual({ ...one, signupId: other.signupId })
    const last = [...after.values()].map(seat => seat.roomId)
    const small = last.find(id => last.filter(each => each === id).length === 1)!
    expect((await swap(one.signupId, small, 5)).code).toBe(200)
    const moved = (await draftOf(t, itemId)).find(seat => seat.signupId === one.signupId)
    expect(moved).toMatchObject({ roomId: small, seatNo: 5, row: 2, col: 2 })
    expect((await swap(other.signupId, small, 5, { seen: '' })).code).toBe(25009)
    expect((await swap(other.signupId, small, 5, { seen: one.signupId })).code).toBe(200)
    for (const seatNo of [0, 7]) expect((await swap(one.signupId, small, seatNo)).code).toBe(29001)
    for (const seatNo of [1.5, 'x']) expect((await swap(one.signupId, small, seatNo)).code).toBe(29005)
    expect((await swap('1', small, 1)).code).toBe(29001)
    expect((await swap(one.signupId, '1', 1)).code).toBe(29001)
    expect(await draftOf(t, itemId)).toHaveLength(7)
  })

  test('an empty seat of a plan in a snake stands where its plan has it', async () => {
    const { examId, itemId } = await makeStage(t, 1)
    await passed(t, examId)
    await draw(itemId, { snake: true })
    const [seat] = (await draftOf(t, itemId)) as [Seat]
    await staff.act('allotSwap', itemId, { signupId: seat.signupId, roomId: seat.roomId, seatNo: 4 })
    expect((await draftOf(t, itemId))[0]).toMatchObject({ seatNo: 4, row: 3, col: 2 })
  })

  test('is thrown away, and only a draft is', async () => {
    const { examId, itemId } = await makeStage(t)
    await passed(t, examId)
    expect((await staff.act('clearAllot', itemId)).code).toBe(29009)
    await draw(itemId)
    expect((await staff.act('clearAllot', itemId)).code).toBe(200)
    expect([await draftOf(t, itemId), (await stateOf(itemId)).seatStatus]).toEqual([[], 0])
  })

  test('drawn twice, swapped and locked at once stays one plan', async () => {
    const { examId, itemId } = await makeStage(t)
    await many(examId, 10)
    const drawn = await Promise.all([draw(itemId, { seed: 'a' }), draw(itemId, { seed: 'b' }), draw(itemId)])
    expect(drawn.map(one => one.code)).toEqual([200, 200, 200])
    expect(await draftOf(t, itemId)).toHaveLength(10)
    const { rows: plans } = await t.pool.query('SELECT seed FROM seat_plan WHERE "itemId" = $1', [itemId])
    expect(plans).toHaveLength(1)
    const [one, other] = (await draftOf(t, itemId)) as [Seat, Seat]
    const swaps = [one, other].map(seat =>
      staff.act('allotSwap', itemId, { signupId: seat.signupId, roomId: one.roomId, seatNo: one.seatNo }),
    )
    expect((await Promise.all(swaps)).map(answer => answer.code)).toEqual([200, 200])
    const seats = (await draftOf(t, itemId)).map(seat => `${seat.roomId} ${seat.seatNo}`)
    expect(new Set(seats).size).toBe(10)
    const locked = await Promise.all([1, 2, 3].map(() => staff.act('lockAllot', itemId)))
    // The same person may say it again; the tickets are made once.
    expect(locked.map(answer => answer.code)).toEqual([200, 200, 200])
    expect(await ticketsOf(t, itemId)).toHaveLength(10)
  })
})
