import { transitionOf } from '#engine'
import { examinationitem, type StageMove } from '#resources/exams/examinationitem'
import { EnableStatus, ReleaseStatus, SeatStatus } from '#schemas/dictionaries'
import type { Derive, ReadContext } from '../../../crud/rules.ts'
import { blockOf } from '../../../crud/transition.ts'
import type { Live } from '../../../platform/database/live.ts'
import { messageFor } from '../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { Refusal } from '../../../platform/http/server/refusal.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import type { Actor } from '../../exams/server/release.ts'
import { checkSetting, checkUnpaid, settingOf } from '../../payment/server/fee.ts'
import { checkDraw } from '../../tickets/server/allot.ts'
import { checkLock, checkUnlock } from '../../tickets/server/lock.ts'
import { type Stage, stageOf } from '../../tickets/server/stage.ts'
import { checkRelease } from './release.ts'

/** The checks of the call that makes a move; throwing a refusal says what blocks it. */
type Check = (db: Live, stage: Stage, actor: Actor) => unknown

/** What can be done next with one side of a stage: a transition, or a call of its own with its check. */
type Move = { transition: keyof typeof examinationitem.transitions } | { label: string; check: Check }

const free: Check = () => undefined

const releaseFee: Check = async (live, { id }, { now }) => checkSetting(live, await settingOf(live, id), now)
const recallFee: Check = async (live, { id }) => checkUnpaid(live, await settingOf(live, id))

/**
 * The sides of a stage, by the field that holds their state, each with its next move; null where the stage has no such
 * side. A move asks the very checks of its call, so that both say the same.
 */
const sides: Readonly<Record<string, (stage: Stage) => Move | null>> = {
  itemStatus: stage => ({ transition: stage.itemStatus === EnableStatus.enabled ? 'disable' : 'enable' }),
  payRelease: ({ needPay, payRelease }) =>
    needPay !== 1
      ? null
      : payRelease === ReleaseStatus.released
        ? { label: '撤回缴费', check: recallFee }
        : { label: '发布缴费', check: releaseFee },
  seatStatus: ({ needSeat, seatStatus }) => (needSeat === 1 ? (seatMoves[seatStatus] ?? null) : null),
  ticketRelease: ({ needTicket, ticketRelease }) =>
    needTicket !== 1
      ? null
      : { transition: ticketRelease === ReleaseStatus.released ? 'recallTicket' : 'releaseTicket' },
  resultRelease: ({ resultRelease }) =>
    resultRelease === ReleaseStatus.released
      ? { label: '撤回成绩', check: free }
      : { label: '发布成绩', check: (db, stage, actor) => checkRelease(db, stage, actor, '') },
}

const seatMoves: Readonly<Record<number, Move>> = {
  [SeatStatus.none]: { label: '编排', check: (db, stage, { now }) => checkDraw(db, stage, now) },
  [SeatStatus.draft]: { label: '锁定座位', check: checkLock },
  [SeatStatus.locked]: { label: '解锁座位', check: (_, stage) => checkUnlock(stage) },
}

/** What blocks a call; null when nothing does. */
async function refusalOf(db: Live, stage: Stage, check: Check, actor: Actor): Promise<Refusal | null> {
  try {
    await refuseArchived(db, [stage.examId])
    await check(db, stage, actor)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function movesOf({ app, person, now, request }: ReadContext, itemId: string): Promise<Record<string, StageMove>> {
  const db = liveAs(app, person)
  const stage = await stageOf(db, itemId)
  if (!stage) return {}
  const actor = { userId: person.userId, now }
  const blocks = (move: Move) =>
    'check' in move
      ? refusalOf(db, stage, move.check, actor)
      : blockOf({ app, trx: db, caller: person, now }, examinationitem, move.transition, stage)
  const known = await Promise.all(
    Object.entries(sides).map(async ([field, next]) => {
      const move = next(stage)
      if (!move) return null
      const block = await blocks(move)
      const msg = block && request ? messageFor(request, block) : (block?.message ?? '')
      if ('check' in move) return [field, { next: move.label, msg }] as const
      const { label, guard } = transitionOf(examinationitem, move.transition)
      return [field, { next: label, msg, ...(guard && { guard }) }] as const
    }),
  )
  return Object.fromEntries(known.filter(one => one !== null))
}

/**
 * What can be done next with each stage of a page, and what blocks it. The checks are those of the calls, which are made
 * for one stage: an exam has a handful.
 */
export const deriveMoves: Derive<typeof examinationitem> = (ctx, rows) =>
  Promise.all(rows.map(async row => ({ moves: await movesOf(ctx, row.id) })))
