import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Examinelog } from '#schemas/sign-up/examinelog'
import { canonical } from '../../../engine/blank.ts'
import { type ErasedRows, erasures } from '../../../platform/audit/server/audit-chain.ts'
import type { ChainCheck } from '../../../platform/audit/server/chain-check.ts'
import { salted, saltedDigest } from '../../../platform/audit/server/salted.ts'
import type { Database, Reader, Trx } from '../../../platform/database/database.ts'
import { type Live, liveFor, raw, withRemoved } from '../../../platform/database/live.ts'

/** The digest before the first act of review of a sign-up. */
export const firstHash = '0'.repeat(64)

/** An act of review as its digest covers it. */
type Line = Pick<Examinelog, 'signupId' | 'stage' | 'result' | 'userId' | 'time'> & {
  readonly remark: string | null
  readonly advisementList: unknown
  readonly snapshot: unknown
  readonly diff: unknown
}

type Row = Selectable<Database['examinelog']>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The digest of one act, over the digest of the one before: a line changed or taken out later breaks the chain. */
const digestOf = (prevHash: string, line: object): string => sha256(`${prevHash}\n${canonical(line)}`)

type Snapshot = Readonly<Record<string, unknown>>

/** What the form of a sign-up held, which an erasure takes away; the other parts of a snapshot say what was decided on. */
const formOf = ({ snapshot, diff }: Pick<Line, 'snapshot' | 'diff'>) => {
  const { content = {}, files = [], photo = null } = snapshot as Snapshot
  return { content, files, photo, diff: diff ?? null }
}

/** A snapshot without what the form held. */
const withoutForm = (snapshot: unknown): Snapshot => ({
  ...(snapshot as Snapshot),
  content: {},
  files: [],
  photo: null,
})

/** What stays of an act whatever is erased. */
const kept = ({ signupId, stage, result, remark, advisementList, snapshot, userId, time }: Line) => ({
  signupId,
  stage,
  result,
  remark,
  advisementList,
  snapshot: withoutForm(snapshot),
  userId,
  time: time.getTime(),
})

/** The digest of an act from before forms had salts: it covers the form itself. */
export function unsaltedDigest(prevHash: string, line: Line): string {
  return digestOf(prevHash, { ...kept(line), snapshot: line.snapshot })
}

/** As it will be read: what JSON leaves out is not part of it. */
const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null)) as T

/** The digests of an act that follows another. */
export function chained(prevHash: string, given: Line) {
  const { advisementList, snapshot, diff } = given
  const line = { ...given, ...asStored({ advisementList, snapshot, diff }) }
  const content = salted(formOf(line))
  return { prevHash, ...content, hash: digestOf(prevHash, { ...kept(line), contentHash: content.contentHash }) }
}

/** The digest by which an act without salt is known once its form has been erased: over all that is left of it. */
const remainder = (row: Row): string =>
  sha256(canonical({ ...kept(row), id: row.id, prevHash: row.prevHash, hash: row.hash }))

const isEmpty = (row: Row): boolean => canonical(formOf(row)) === canonical(formOf({ snapshot: {}, diff: null }))

/** Erased acts by their ids, as an entry of the security log names them; those without salt with their {@link remainder}. */
type Allowed = ReadonlyMap<string, string>

const allowedBy = (erased: ErasedRows): Allowed =>
  new Map(
    (erased.examinelog ?? [])
      .map(one => String(one).split(':') as [string, string])
      .map(([id, rest]) => [id, rest ?? '']),
  )

function isRight(row: Row, prevHash: string, allowed: Allowed | undefined): boolean {
  if (row.prevHash !== prevHash) return false
  const { contentHash, salt, cutBy } = row
  if (cutBy !== null) {
    const rest = allowed?.get(row.id)
    if (rest === undefined || salt !== null || !isEmpty(row)) return false
    if (contentHash === null) return rest === remainder(row)
    return rest === '' && row.hash === digestOf(prevHash, { ...kept(row), contentHash })
  }
  if (contentHash === null) return salt === null && row.hash === unsaltedDigest(prevHash, row)
  return (
    salt !== null &&
    contentHash === saltedDigest(salt, formOf(row)) &&
    row.hash === digestOf(prevHash, { ...kept(row), contentHash })
  )
}

/** What became of the chains of some sign-ups. */
export interface ActsState {
  /** Acts that were looked at. */
  readonly count: number
  /** The first act that is not as it was written, with the sign-up it belongs to; null when all are. */
  readonly broken: { readonly id: string; readonly signupId: string } | null
}

/** Sign-ups whose acts are read together. */
const together = 500

/**
 * Computes the chains of acts of review again and compares. A form that was erased is right where the security log, whose own chain
 * is compared apart, says that it was to be.
 * @param signupIds of one tenant
 */
export async function verifyActs(db: Reader, tenantId: string, signupIds: readonly string[]): Promise<ActsState> {
  let count = 0
  for (let at = 0; at < signupIds.length; at += together) {
    const rows = await db
      .selectFrom('examinelog')
      .selectAll()
      .where('signupId', 'in', signupIds.slice(at, at + together))
      .orderBy('signupId')
      .orderBy('time')
      .orderBy('id')
      .execute()
    const allowed = await allowances(db, tenantId, rows)
    const last = new Map<string, string>()
    for (const row of rows) {
      const before = last.get(row.signupId) ?? firstHash
      if (!isRight(row, before, allowed.get(row.cutBy ?? 0)))
        return { count, broken: { id: row.id, signupId: row.signupId } }
      last.set(row.signupId, row.hash)
      count++
    }
  }
  return { count, broken: null }
}

async function allowances(db: Reader, tenantId: string, rows: readonly Row[]): Promise<ReadonlyMap<number, Allowed>> {
  const said = await erasures(
    db,
    tenantId,
    rows.flatMap(row => row.cutBy ?? []),
  )
  return new Map([...said].map(([seq, erased]) => [seq, allowedBy(erased)]))
}

/** Compares the chains of all sign-ups of a tenant; memory does not grow with their number. @throws the reason of the signal */
export async function verifyAllActs(db: Live, tenantId: string, signal?: AbortSignal): Promise<ActsState> {
  let [count, last] = [0, '0']
  for (;;) {
    signal?.throwIfAborted()
    const signups = await db
      .selectFrom(withRemoved('signup'))
      .select('id')
      .where('id', '>', last)
      .orderBy('id')
      .limit(together)
      .execute()
    if (signups.length === 0) return { count, broken: null }
    const state = await verifyActs(
      raw(db),
      tenantId,
      signups.map(({ id }) => id),
    )
    if (state.broken) return { ...state, count: count + state.count }
    count += state.count
    last = signups.at(-1)?.id ?? last
  }
}

/** The acts of review of a tenant among the chains that are looked at once a day. */
export const checkActs: ChainCheck = async (app, tenantId, signal) => {
  const live = liveFor(app, { tenantId, userId: null, now: app.now })
  const { count, broken } = await verifyAllActs(live, tenantId, signal)
  return { count, fault: broken && `act ${broken.id} of sign-up ${broken.signupId} was changed` }
}

/**
 * The acts that are to lose what the form held, as the security log has to name them before they do. One that is not as it was written
 * is named so that it stays wrong.
 */
export function namedActs(rows: readonly Row[]): readonly string[] {
  return rows.map(row => {
    const { id, contentHash, salt } = row
    const isWritten =
      contentHash === null
        ? row.hash === unsaltedDigest(row.prevHash, row)
        : salt !== null && contentHash === saltedDigest(salt, formOf(row))
    if (!isWritten) return `${id}:changed`
    return contentHash === null ? `${id}:${remainder(row)}` : id
  })
}

/**
 * Takes away what the form held, with its salt; the chain stays as it was.
 * @param cutBy number of the entry of the security log that names these acts
 */
export async function cutActs(trx: Trx, rows: readonly Pick<Row, 'id'>[], cutBy: number): Promise<void> {
  if (rows.length === 0) return
  await trx
    .updateTable('examinelog')
    .set({
      snapshot: sql`snapshot || ${JSON.stringify(withoutForm({}))}::jsonb`,
      diff: null,
      salt: null,
      before: null,
      cutBy,
    } as never)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}
