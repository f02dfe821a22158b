import { sql } from 'kysely'
import { PayState } from '#schemas/dictionaries'
import type { Database, Reader, Trx } from '../../../platform/database/database.ts'
import { type Live, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { owingStates, paidStates, totalsChange } from '../rules/pay-record.ts'
import { programOf, type RecordRow } from './context.ts'

/** What a transition writes besides the state. */
export type RecordChanges = Partial<
  Pick<RecordRow, 'payOrderId' | 'payTime' | 'channel' | 'exemptReason' | 'exemptFile' | 'amount'>
>

/** A record, locked until the transaction ends, its sign-up before it. Undefined when there is none. */
export async function lockRecord(trx: LiveTrx, recordId: string): Promise<RecordRow | undefined> {
  const record = await findRecord(trx, recordId)
  if (!record) return undefined
  await lockSignup(trx, record.signupId)
  return trx
    .selectFrom(withRemoved('payrecord'))
    .selectAll()
    .where('id', '=', recordId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks a sign-up, the first lock of everything that changes what it owes. */
export async function lockSignup(trx: LiveTrx, signupId: string): Promise<void> {
  await trx.selectFrom(withRemoved('signup')).select('id').where('id', '=', signupId).forNoKeyUpdate().execute()
}

/**
 * Locks sign-ups as {@link lockSignup} does, for acts that hand on nothing but their ids.
 * @returns a live handle for each of their tenants: jobs end the choosing of people of all tenants at once
 */
export async function programsOf(trx: Trx, signupIds: readonly string[], now: Date): Promise<LiveTrx[]> {
  const tenants = new Set<string>()
  for (const id of signupIds.toSorted()) {
    const query = trx.selectFrom('signup').select('tenantId').where('id', '=', id).forNoKeyUpdate()
    const row = await query.executeTakeFirst()
    if (row) tenants.add(row.tenantId)
  }
  return [...tenants].map(tenantId => programOf(trx, { tenantId }, now))
}

/** A record that is not deleted. */
export function findRecord(db: Live, recordId: string): Promise<RecordRow | undefined> {
  return db.selectFrom('payrecord').selectAll().where('id', '=', recordId).executeTakeFirst()
}

/**
 * Moves a record from the state it was read in, and with it the counters of its batch and the copy on the sign-up.
 * @param own the handle of the person who changes the record; counters and copy follow without one
 * @returns false when somebody else has moved it meanwhile
 */
export async function moveRecord(
  trx: LiveTrx,
  record: Pick<RecordRow, 'id' | 'payState' | 'amount' | 'mainId' | 'signupId'>,
  to: RecordRow['payState'],
  changes: RecordChanges = {},
  own: LiveTrx = trx,
): Promise<boolean> {
  const moved = await own
    .updateTable(withRemoved('payrecord'))
    .set(eb => ({ ...changes, payState: to, version: eb('version', '+', 1) }))
    .where('id', '=', record.id)
    .where('payState', '=', record.payState)
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) === 0) return false
  await moveTotals(trx, record.mainId, record.payState, to, record.amount)
  await copyState(trx, record.signupId, to)
  return true
}

/** Adds one record's change of state to the counters of its batch. Null stands for a record that was not there. */
export async function moveTotals(
  trx: LiveTrx,
  mainId: string,
  from: number | null,
  to: number | null,
  amount: number,
): Promise<void> {
  const change = totalsChange(from, to, amount)
  await trx
    .updateTable(withRemoved('payrecordmain'))
    .set({
      totalNum: plus('totalNum', change.totalNum),
      paidNum: plus('paidNum', change.paidNum),
      exemptNum: plus('exemptNum', change.exemptNum),
      totalAmount: plus('totalAmount', change.totalAmount),
      paidAmount: plus('paidAmount', change.paidAmount),
      refundAmount: plus('refundAmount', change.refundAmount),
    })
    .where('id', '=', mainId)
    .execute()
}

/** Writes the state of a record onto its sign-up. */
export async function copyState(trx: LiveTrx, signupId: string, state: RecordRow['payState']): Promise<void> {
  await trx
    .updateTable(withRemoved('signup'))
    .set({ payState: state })
    .where('id', '=', signupId)
    .where('payState', '<>', state)
    .execute()
}

/** Counts a batch anew from its records; for changes of many records at once. Every handle runs it alike. */
export async function updateTotals(trx: Reader | Live, mainId: string, now: Date): Promise<void> {
  const list = (states: readonly number[]) => sql.join(states.map(state => sql.lit(state)))
  const count = (states: readonly number[]) => sql`count(*) FILTER (WHERE "payState" IN (${list(states)}))`
  const sum = (states: readonly number[]) =>
    sql`coalesce(sum(amount) FILTER (WHERE "payState" IN (${list(states)})), 0)`
  await sql`
    UPDATE payrecordmain SET ("totalNum", "paidNum", "exemptNum", "totalAmount", "paidAmount", "refundAmount", "updateTime") = (
      SELECT ${count(owingStates)}, ${count(paidStates)}, ${count([PayState.exempt])},
        ${sum(owingStates)}, ${sum(paidStates)}, ${sum([PayState.refunded])}, ${now}::timestamptz
      FROM payrecord WHERE "mainId" = ${mainId} AND "isDeleted" = 0)
    WHERE id = ${mainId}`.execute(trx)
}

type Counter = keyof Pick<
  Database['payrecordmain'],
  'totalNum' | 'paidNum' | 'exemptNum' | 'totalAmount' | 'paidAmount' | 'refundAmount'
>

const plus = (counter: Counter, by: number) => sql<number>`coalesce(${sql.ref(counter)}, 0) + ${by}`
