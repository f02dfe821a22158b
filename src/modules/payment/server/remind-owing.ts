import { sql } from 'kysely'
import { payrecordEvents } from '#resources/payment/events'
import { ExampayStatus, PayState, SignStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { type Live, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { untimely } from '../../exams/rules/act-windows.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { paymentWindows } from '../rules/act-windows.ts'
import { notDueWords } from '../rules/pay-record.ts'
import { payFacts } from './context.ts'
import { lockRecords } from './ledger.ts'

/** Milliseconds in which nobody is reminded of the same fee a second time. */
const again = 6 * 3_600_000

/** A record with what decides whether its person is reminded of it. */
interface Asked {
  readonly payState: number
  readonly signStatus: number
  /** Null where there is no fee any more. */
  readonly fee: { readonly payStatus: number; readonly startTime: Date; readonly endTime: Date } | null
  readonly graceSeconds: number | null
  readonly lastTime: Date | null
}

/** Why somebody is not reminded; undefined for who is. */
function objection({ payState, signStatus, fee, graceSeconds, lastTime }: Asked, now: Date): string | undefined {
  if (payState !== PayState.due) return notDueWords[payState] ?? refuse('row.wrongState').message
  if (signStatus !== SignStatus.submitted) return '报名已放弃或取消'
  if (!fee || fee.payStatus === ExampayStatus.draft) return refuse('payment.closed').message
  const late = untimely(paymentWindows.pay, payFacts({ ...fee, graceSeconds }), now)
  if (late) return late.message
  return lastTime && now.getTime() - lastTime.getTime() < again ? '六小时内已催过' : undefined
}

/** What decides on reminders, by the record. */
async function factsOf(trx: LiveTrx, ids: readonly string[]): Promise<ReadonlyMap<string, Omit<Asked, 'payState'>>> {
  const rows = await trx
    .selectFrom('payrecord as r')
    .innerJoin(withRemoved('signup as s'), 's.id', 'r.signupId')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'r.examId')
    .leftJoin('exampay as p', 'p.itemId', 'r.itemId')
    .select(['r.id', 's.signStatus', 'e.graceSeconds', 'p.payStatus', 'p.startTime', 'p.endTime'])
    .select(lastUrged(trx).as('lastTime'))
    .where('r.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, payStatus, startTime, endTime, ...row }) => {
      const fee = payStatus !== null && startTime && endTime ? { payStatus, startTime, endTime } : null
      return [id, { ...row, fee }]
    }),
  )
}

/** When the person of record `r` was last reminded by somebody. */
const lastUrged = (db: Live) =>
  db
    .selectFrom('event as b')
    .select(eb => eb.fn.max('b.createTime').as('time'))
    .where('b.code', '=', payrecordEvents.urged.name)
    .where('b.subjectId', '=', sql<string>`${sql.ref('r.id')}::text`)

/**
 * Reminds those of several people who owe a fee that can be paid now. Who does not owe it, cannot pay it now or was reminded hours ago
 * is passed over.
 * @returns whom it was for, and of the others why not
 * @throws exams.archived
 */
export function remindOwing(db: Live, ids: readonly string[], now: Date) {
  return db.transaction().execute(async trx => {
    // The exam is locked before the sign-ups, as it is when people sign up.
    const exams = await trx.selectFrom('payrecord').select('examId').where('id', 'in', ids).execute()
    await refuseArchived(
      trx,
      exams.map(({ examId }) => examId),
    )
    const records = await lockRecords(trx, ids)
    const facts = await factsOf(trx, ids)
    const judged = records.map(record => {
      const known = facts.get(record.id)
      return { record, end: known?.fee?.endTime, reason: known && objection({ ...known, ...record }, now) }
    })
    const ends = new Map(judged.map(({ record, end }) => [record.id, end]))
    const told = judged.filter(({ reason }) => reason === undefined).map(({ record }) => record)
    await emit(trx, payrecordEvents.urged, told, ({ id }) => ({ until: ends.get(id) ?? now }))
    return {
      ok: told.map(({ id }) => id),
      skipped: judged.flatMap(({ record: { id }, reason }) => (reason === undefined ? [] : [{ id, reason }])),
    }
  })
}
