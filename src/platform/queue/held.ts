import { type SqlBool, sql } from 'kysely'
import { WorkState } from '#schemas/dictionaries'
import type { Reader } from '../database/database.ts'
import { type AnyTrx, raw } from '../database/live.ts'
import { columnText } from '../http/server/log-params.ts'
import type { Beat, Claimed } from './claim.ts'
import { type Item, LostLease, type Memo, type Piece, type WorkKind, type WorkKinds } from './piece.ts'

/** Characters of a result. */
const longest = 500

/** Only the piece that this process has: a process that lost it changes nothing. */
const isMine = ({ id, leaseBy }: Pick<Claimed, 'id' | 'leaseBy'>) =>
  sql<SqlBool>`id = ${id} AND "leaseBy" = ${leaseBy} AND state = ${sql.lit(WorkState.running)}`

/** How a piece leaves this process. */
export type Left =
  | { state: (typeof WorkState)['done' | 'failed']; result: string | null }
  | { state: (typeof WorkState)['waiting']; runAt: Date | null; result: string | null; isCounted: boolean }

/** A piece that this process has, see {@link Piece}. */
export class Held implements Piece {
  readonly #claimed: Claimed
  readonly #db: Reader
  readonly #now: () => Date
  readonly #forgetsDone: boolean
  readonly #stop = new AbortController()
  #memo: Memo
  #far: { done: number; total: number | null } | null = null
  /** When the lease was renewed last, by the clock of this process that never jumps. */
  renewedAt = performance.now()
  /** Whether it was ended in a transaction of its work, which may yet be undone. */
  hasEnded = false

  /** @param forgetsDone a piece that is done is not kept */
  constructor(
    claimed: Claimed,
    payload: WorkKinds[WorkKind],
    { db, now }: { db: Reader; now: () => Date },
    forgetsDone = false,
  ) {
    this.#forgetsDone = forgetsDone
    this.#claimed = claimed
    this.#db = db
    this.#now = now
    this.#memo = (claimed.memo ?? {}) as Memo
    this.payload = payload
  }

  readonly payload: WorkKinds[WorkKind]
  get id() {
    return this.#claimed.id
  }
  get kind() {
    return this.#claimed.kind as WorkKind
  }
  get key() {
    return this.#claimed.key
  }
  get tenantId() {
    return this.#claimed.tenantId
  }
  get parentId() {
    return this.#claimed.parentId
  }
  get tries() {
    return this.#claimed.tries
  }
  get isLast() {
    return this.tries >= this.#claimed.maxTries
  }
  get memo() {
    return this.#memo
  }
  get signal() {
    return this.#stop.signal
  }

  /** Calls the work off. */
  stop(why: Error): void {
    this.#stop.abort(why)
  }

  /** What a heartbeat says of it. */
  beat(): Beat {
    const { id, leaseBy } = this.#claimed
    return { id, leaseBy, progress: this.#far?.done ?? null, total: this.#far?.total ?? null }
  }

  async note(memo: Memo): Promise<void> {
    const done = await this.#db
      .updateTable('work_item')
      .set({ memo: JSON.stringify(memo) })
      .where(isMine(this.#claimed))
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) throw new LostLease()
    this.#memo = memo
  }

  progress(done: number, total?: number): void {
    this.#far = { done, total: total ?? this.#far?.total ?? null }
  }

  async hold(trx: AnyTrx): Promise<void> {
    const mine = raw(trx).selectFrom('work_item').select('id').where(isMine(this.#claimed)).forNoKeyUpdate()
    if (!(await mine.executeTakeFirst())) throw new LostLease()
  }

  async end(trx: AnyTrx, result?: string): Promise<void> {
    await this.leave(raw(trx), { state: WorkState.done, result: result ?? null })
    this.hasEnded = true
  }

  /** Lets the piece go, with how far it is. @throws LostLease when it is not this process's any more */
  async leave(db: Reader, left: Left): Promise<void> {
    if (this.#forgetsDone && left.state === WorkState.done) {
      const gone = await db.deleteFrom('work_item').where(isMine(this.#claimed)).executeTakeFirst()
      if (gone.numDeletedRows === 0n) throw new LostLease()
      return
    }
    const now = this.#now()
    const { tries } = this.#claimed
    const rest =
      left.state === WorkState.waiting
        ? { ...(left.runAt && { runAt: left.runAt }), tries: left.isCounted ? tries : tries - 1 }
        : { endTime: now }
    const { done, total } = this.#far ?? {}
    const gone = await db
      .updateTable('work_item')
      .set({ state: left.state, result: columnText(left.result, longest), ...rest })
      .set({ leaseBy: null, leaseUntil: null, updateTime: now })
      .$if(done !== undefined, query => query.set({ progress: done ?? null }))
      .$if(typeof total === 'number', query => query.set({ total: total ?? null }))
      .where(isMine(this.#claimed))
      .executeTakeFirst()
    if (gone.numUpdatedRows === 0n) throw new LostLease()
  }
}

/** A piece without what only its process may do with it. */
export const itemOf = ({ id, kind, key, tenantId, parentId, payload }: Piece): Item => ({
  id,
  kind,
  key,
  tenantId,
  parentId,
  payload,
})
