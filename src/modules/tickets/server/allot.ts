import { SeatStatus } from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { keepHistory } from '../../../crud/history.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import type { Actor } from '../../exams/server/release.ts'
import { ticketWindows } from '../rules/act-windows.ts'
import { type DrawOptions, drawSeats, type SeatPlan } from '../rules/seat-draw.ts'
import { capacityOf, seatOf } from '../rules/seat-room.ts'
import { factsOf, type Stage, stageOf, toBeSeated, unpaid } from './stage.ts'
import './tables.ts'
import { refuseArchived } from '../../exams/server/archived.ts'

/** What came of a draw. */
export interface Allotment {
  total: number
  rooms: number
  unplaced: SeatPlan['unplaced']
  conflicts: number
  seed: string
}

/**
 * The stage, its row locked until the transaction ends, so that two draws never meet.
 * @throws row.notFound, exams.archived
 */
export async function lockStage(trx: Live, itemId: string): Promise<Stage> {
  await trx.selectFrom('examinationitem').select('id').where('id', '=', itemId).forNoKeyUpdate().execute()
  const stage = await stageOf(trx, itemId)
  if (!stage) throw refuse('row.notFound')
  await refuseArchived(trx, [stage.examId])
  return stage
}

/** Everyone who needs a seat, as the draw wants them. */
const peopleOf = (trx: Live, stage: Stage) =>
  toBeSeated(trx, stage)
    .select(['signup.id', 'position.unit', 'position.code', 'position.type', 'position.examSubject as subject'])
    .execute()

/** The rooms of a stage that are in use. */
export const roomsOf = (trx: Live, itemId: string) =>
  trx.selectFrom('examroom').selectAll().where('itemId', '=', itemId).where('enable', '=', 1).execute()

/** A seat of a plan and the sign-up that has it. */
export type PlacedSeat = SeatPlan['placements'][number]

/** How a plan came about. */
interface PlanRecord {
  /** 0 imported, else that of the draw. */
  strategy: number
  seed: string
  options: object
  total: number
  conflicts: number
}

/** Writes a draft in portions, so that a whole city's plan stays within PostgreSQL's 65,535 parameters. */
async function writeDraft(trx: Live, itemId: string, placements: readonly PlacedSeat[]): Promise<void> {
  await trx.deleteFrom('seat_draft').where('itemId', '=', itemId).execute()
  for (let at = 0; at < placements.length; at += 5000) {
    const rows = placements.slice(at, at + 5000).map(({ id, ...seat }) => ({ itemId, signupId: id, ...seat }))
    await trx.insertInto('seat_draft').values(rows).execute()
  }
}

/** Says of a stage how far its seats are, and keeps in its history who did that. */
export async function markSeats(
  trx: Live,
  stage: Stage,
  seatStatus: Stage['seatStatus'],
  { reason = '', ...actor }: Actor & { reason?: string },
): Promise<void> {
  const after = await trx
    .updateTable('examinationitem')
    .set({ seatStatus })
    .where('id', '=', stage.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepHistory(trx, Examinationitem, [[stage, after]], { act: 'allot', reason, ...actor })
}

/** Puts a draft in place of an earlier one, with how it was made. The stage's row is locked by the caller. */
export async function writePlan(
  trx: Live,
  stage: Stage,
  placements: readonly PlacedSeat[],
  { options, ...how }: PlanRecord,
  { userId, now }: Actor,
): Promise<void> {
  const itemId = stage.id
  await writeDraft(trx, itemId, placements)
  const record = { ...how, options: JSON.stringify(options), userId, time: now }
  await trx
    .insertInto('seat_plan')
    .values({ itemId, ...record })
    .onConflict(on => on.column('itemId').doUpdateSet(record))
    .execute()
  const reason = how.strategy === 0 ? '导入编排' : `随机种子 ${how.seed}`
  await markSeats(trx, stage, SeatStatus.draft, { userId, now, reason })
}

/**
 * Whether the seats of a stage can be drawn, and whom and what there is to draw with.
 * @param reserve seats of each room that stay free
 * @throws tickets.seatsLocked when they are locked, reduction.candidatesUnfinished and reduction.unfinished while people
 * may still change, input.invalid without people, tickets.seatsShort when the seats do not suffice
 */
export async function checkDraw(trx: Live, stage: Stage, now: Date, reserve?: number) {
  if (stage.seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
  checkTimely(ticketWindows.planSeats, factsOf(stage), now)
  const { open, moving } = await unpaid(trx, stage, now)
  if (moving) throw refuse('reduction.unfinished', { n: moving })
  if (open) throw refuse('reduction.candidatesUnfinished', { n: open })
  const [people, rooms] = [await peopleOf(trx, stage), await roomsOf(trx, stage.id)]
  const [n, m] = [people.length, capacityOf(rooms, reserve)]
  if (n === 0) throw refuse('input.invalid', { 说明: '还没有有效考生，不能编排' })
  if (n > m) throw refuse('tickets.seatsShort', { n, m })
  return { people, rooms }
}

/**
 * Draws the seats of a stage as a draft; an earlier draft is replaced and nothing is shown to candidates.
 * @throws tickets.seatsLocked when the seats are locked, reduction.candidatesUnfinished and reduction.unfinished while
 * people may still change, tickets.seatsShort before anything is written when the seats do not suffice
 */
export async function drawStage(db: Live, itemId: string, actor: Actor, options: DrawOptions): Promise<Allotment> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    const { people, rooms } = await checkDraw(trx, stage, actor.now, options.reserve)
    const plan = drawSeats(people, rooms, options)
    const total = people.length
    const how = { strategy: options.strategy, seed: plan.seed, options, total, conflicts: plan.conflicts.length }
    await writePlan(trx, stage, plan.placements, how, actor)
    const used = new Set(plan.placements.map(one => one.roomId)).size
    return {
      total: plan.placements.length,
      rooms: used,
      unplaced: plan.unplaced,
      conflicts: plan.conflicts.length,
      seed: plan.seed,
    }
  })
}

/** Where somebody is to go, and whom the caller sees there: `''` for an empty seat, undefined where the caller did not say. */
export interface Target {
  roomId: string
  seatNo: number
  seen?: string | undefined
}

/**
 * Two people change places in the draft, or one moves to an empty seat.
 * @throws tickets.seatsLocked, row.notFound, tickets.seatTaken when somebody else sits there than the caller saw
 */
export async function allotSwap(
  db: Live,
  itemId: string,
  signupId: string,
  { seen, ...target }: Target,
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.seatStatus !== SeatStatus.draft)
      throw refuse(stage.seatStatus === SeatStatus.locked ? 'tickets.seatsLocked' : 'row.wrongState')
    const seats = await trx
      .selectFrom('seat_draft')
      .selectAll()
      .where('itemId', '=', itemId)
      .where(eb =>
        eb.or([
          eb('signupId', '=', signupId),
          eb.and([eb('roomId', '=', target.roomId), eb('seatNo', '=', target.seatNo)]),
        ]),
      )
      .execute()
    const mine = seats.find(seat => seat.signupId === signupId)
    const room = (await roomsOf(trx, itemId)).find(one => one.id === target.roomId)
    if (!mine || !room || target.seatNo < 1 || target.seatNo > room.capacity) throw refuse('row.notFound')
    const other = seats.find(seat => seat.signupId !== signupId)
    if (mine.roomId === target.roomId && mine.seatNo === target.seatNo) {
      if (isOwnRepeat(stage, true, actor)) return
      throw refuse('tickets.seatTaken')
    }
    if (seen !== undefined && seen !== (other?.signupId ?? '')) throw refuse('tickets.seatTaken')
    const place = other ?? seatOf(room, target.seatNo, await isSnake(trx, itemId))
    const put = (id: string, { roomId, seatNo, row, col }: typeof place) =>
      trx
        .updateTable('seat_draft')
        .set({ roomId, seatNo, row, col })
        .where('itemId', '=', itemId)
        .where('signupId', '=', id)
        .execute()
    await put(signupId, place)
    if (other) await put(other.signupId, mine)
    // Who has moved somebody may say so again.
    await trx.updateTable('examinationitem').set({}).where('id', '=', itemId).execute()
  })
}

/** Whether the columns of the present draft run up and down in turn. */
async function isSnake(trx: Live, itemId: string): Promise<boolean> {
  const plan = await trx.selectFrom('seat_plan').select('options').where('itemId', '=', itemId).executeTakeFirst()
  return plan?.options.snake === true
}

/** Throws the draft away: 1 → 0. @throws tickets.seatsLocked, row.wrongState */
export async function clearAllot(db: Live, itemId: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (isOwnRepeat(stage, stage.seatStatus === SeatStatus.none, actor)) return
    if (stage.seatStatus !== SeatStatus.draft)
      throw refuse(stage.seatStatus === SeatStatus.locked ? 'tickets.seatsLocked' : 'row.wrongState')
    await trx.deleteFrom('seat_draft').where('itemId', '=', itemId).execute()
    await trx.deleteFrom('seat_plan').where('itemId', '=', itemId).execute()
    await markSeats(trx, stage, SeatStatus.none, actor)
  })
}
