import type { Advisement } from '#schemas/sign-up/signup-json'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { changesOf, type Sheet } from '../../sign-up/server/changes.ts'
import { chained, firstHash } from './log-chain.ts'

/** One act of review. `stage` and `result` are keys of dictionaries `examine_stage` and `examine_result`. */
export interface Act {
  stage: 1 | 2 | 3 | 4 | 5
  result: 1 | 2 | 3
  remark: string
  advisementList?: readonly Advisement[]
  durationSec?: number | null
  /** Whether it can be undone. */
  undoable?: true
}

/** Fields of a sign-up that a review changes. */
export const reviewFields = [
  'examine',
  'examineTime',
  'examineUser',
  'examineRemark',
  'reviewStatus',
  'reviewTime',
  'reviewUser',
  'reviewRemark',
] as const

/** What stood in a sign-up before a review. */
const beforeOf = (row: SignupRow): string =>
  JSON.stringify(Object.fromEntries(reviewFields.map(name => [name, row[name]])))

/** What a reviewer saw: the parts of a sign-up that a candidate decides. */
function snapshotOf(row: SignupRow) {
  const { unit, type, code, unit2, type2, code2, adjustAccept, content, files } = row
  return { unit, type, code, unit2, type2, code2, adjustAccept, content, files, version: row.version, photo: row.photo }
}

/** The latest act of review of a sign-up. */
export const lastAct = (db: Db, signupId: string) =>
  db
    .selectFrom('examinelog')
    .select(['id', 'hash', 'snapshot', 'stage', 'result', 'remark', 'userId', 'time', 'before'])
    .where('signupId', '=', signupId)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

/** An act of review as it may be done a second time. */
type Repeated = Pick<Act, 'stage'> & Partial<Pick<Act, 'result' | 'remark'>> & { userId: string }

/** Whether the latest act of review of a sign-up is this one, done by this person: then doing it again is no conflict. */
export const isLastAct = async (db: Db, signupId: string, act: Repeated): Promise<boolean> =>
  isAct(await lastAct(db, signupId), act)

/** The same of an act that was read. */
export function isAct(
  act: Awaited<ReturnType<typeof lastAct>>,
  { stage, result, remark, userId }: Repeated,
): act is NonNullable<typeof act> {
  if (!act) return false
  const isSame =
    act.stage === stage &&
    (result === undefined || act.result === result) &&
    (remark === undefined || act.remark === remark)
  return isOwnRepeat({ updateUser: act.userId }, isSame, { userId })
}

type Before = Pick<NonNullable<Awaited<ReturnType<typeof lastAct>>>, 'hash' | 'snapshot'>

/**
 * Writes an act of review into the history. The row of the sign-up is locked by the change before, so that lines follow
 * one another.
 * @param row the sign-up as the reviewer saw it
 * @returns the digest of the act, by which it is known
 */
export async function writeAct(trx: Db, { person, now, ip }: Caller, row: SignupRow, act: Act): Promise<string> {
  const before = await lastAct(trx, row.id)
  const line = actLine(before, { userId: person.userId, now, ip }, row, act)
  await trx
    .insertInto('examinelog')
    .values({ ...line, before: act.undoable ? beforeOf(row) : null })
    .execute()
  return line.hash
}

/** Who acted, when and from where. */
interface By extends Pick<Caller, 'now'> {
  userId: string
  ip: string | null
}

/** An act of review as it is written, linked to the one before. */
export function actLine(before: Before | undefined, { userId, now, ip }: By, row: SignupRow, act: Act) {
  const snapshot = snapshotOf(row)
  const diff = before ? changesOf(before.snapshot as Sheet, row as unknown as Sheet) : null
  const prevHash = before?.hash ?? firstHash
  const { stage, result, remark, advisementList = [], durationSec = null } = act
  const said = { signupId: row.id, stage, result, remark, userId, time: now }
  return {
    ...said,
    durationSec,
    ip,
    advisementList: JSON.stringify(advisementList),
    snapshot: JSON.stringify(snapshot),
    diff: diff && JSON.stringify(diff),
    ...chained(prevHash, { ...said, advisementList, snapshot, diff }),
  }
}
