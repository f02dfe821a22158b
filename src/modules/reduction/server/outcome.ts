import { signupEvents } from '#resources/sign-up/events'
import { PayState, ReduceState, SignStatus } from '#schemas/dictionaries'
import type { Signup } from '#schemas/sign-up/signup'
import { emit } from '../../../crud/emit.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { closeUnpayable } from '../../payment/server/fee-records.ts'
import { refundPaid } from '../../payment/server/refund-paid.ts'

/**
 * Puts the line of the name list where its sign-up stands.
 * @param trx of the program, see {@link programOf}
 */
export async function copyNameState(trx: Live, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('postreductionname as n')
    .from('signup as s')
    .set(eb => ({ nameState: eb.ref('s.reduceState') }))
    .whereRef('s.id', '=', 'n.signupId')
    .where('n.signupId', 'in', ids)
    .execute()
}

/**
 * Closes what people who take part no more still owe.
 * @param trx of the program, see {@link programOf}
 */
export async function closeDues(trx: LiveTrx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const owing = await trx
    .selectFrom('payrecord')
    .select('signupId')
    .distinct()
    .where('signupId', 'in', ids)
    .where('payState', '=', PayState.due)
    .orderBy('signupId')
    .execute()
  for (const { signupId } of owing) await closeUnpayable(trx, signupId)
}

/** Marks who has paid, and asks for the money back: one refund slip for each order, which finance decides. */
async function askRefunds(trx: LiveTrx, ids: readonly string[], reason: string, now: Date): Promise<void> {
  await trx
    .updateTable('postreductionname as n')
    .set({ needRefund: 1 })
    .where('n.signupId', 'in', ids)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('payrecord as r')
          .select('r.id')
          .whereRef('r.signupId', '=', 'n.signupId')
          .where('r.payState', '=', PayState.paid),
      ),
    )
    .execute()
  await refundPaid(trx, ids, reason, now)
}

const reasons = { [ReduceState.givenUp]: '岗位取消，放弃改报', [ReduceState.overdue]: '岗位取消，逾期未改报' } as const

/** Tells people that they choose no more, and what becomes of their money. */
async function tell(
  trx: LiveTrx,
  rows: readonly Pick<Signup, 'id' | 'examId' | 'payState'>[],
  isAsked: true | undefined,
): Promise<void> {
  for (const isPaid of [true, false]) {
    const some = rows.filter(one => (one.payState === PayState.paid) === isPaid)
    const refund = isPaid ? 'back' : 'none'
    if (isAsked) await emit(trx, signupEvents.chosen, some, { act: 'decline', next: refund })
    else await emit(trx, signupEvents.choiceLapsed, some, { refund })
  }
}

/**
 * Ends the choosing of people who take no other position: declined (5) or too late (6). What they owe is closed, what they
 * paid is to be paid back.
 * @param trx of the program, see {@link programOf}
 * @param from the states they must be in; who is in another one is left alone
 * @returns the ids of those it happened to
 */
export async function endChoosing(
  trx: LiveTrx,
  ids: readonly string[],
  { from, to, now, isAsked }: { from: readonly (1 | 2 | 4)[]; to: 5 | 6; now: Date; isAsked?: true },
): Promise<string[]> {
  if (ids.length === 0) return []
  const moved = await trx
    .updateTable('signup')
    .set(eb => ({ reduceState: to, version: eb('version', '+', 1) }))
    .where('id', 'in', ids)
    .where('reduceState', 'in', from)
    .where('signStatus', '=', SignStatus.submitted)
    .returning(['id', 'examId', 'payState'])
    .execute()
  const done = moved.map(row => row.id)
  if (done.length === 0) return []
  await copyNameState(trx, done)
  await closeDues(trx, done)
  await askRefunds(trx, done, reasons[to], now)
  await tell(trx, moved, isAsked)
  return done
}
