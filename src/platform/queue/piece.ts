import type { AcrossTrx, AnyTrx } from '../database/live.ts'

/** Groups of kinds, each with so many pieces at once in one process: no kind keeps those of other lanes waiting. */
export const lanes = { sms: 2, export: 2, job: 5, flow: 5, task: 20 } as const

/** One of {@link lanes}. */
export type Lane = keyof typeof lanes

/**
 * What pieces of each kind carry, as JSON. Whoever brings a kind says it here by declaration merging:
 * `declare module '…/queue/piece.ts' { interface WorkKinds { 'flow.timer': { tokenId: string } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge their kinds into it.
export interface WorkKinds {}

/** Name of a kind of work. */
export type WorkKind = keyof WorkKinds & string

/** JSON that a piece keeps from one try to the next. */
export type Memo = Readonly<Record<string, unknown>>

/** One piece of work as it stands in the queue. */
export interface Item<K extends WorkKind = WorkKind> {
  readonly id: string
  readonly kind: K
  readonly key: string | null
  readonly tenantId: string
  /** The piece that this one is a part of. */
  readonly parentId: string | null
  readonly payload: WorkKinds[K]
}

/** A piece of work that this process has. */
export interface Piece<K extends WorkKind = WorkKind> extends Item<K> {
  /** How often it was begun, this time included. */
  readonly tries: number
  /** Whether it is given up when it fails now. */
  readonly isLast: boolean
  /** What {@link note} has kept; an empty object at first. */
  readonly memo: Memo
  /** Aborted when the work must stop: the piece is another's by now or cancelled, or the server ends. */
  readonly signal: AbortSignal
  /** Keeps something for later tries, at once. @throws LostLease */
  note(memo: Memo): Promise<void>
  /** Says how far it is; written with the next heartbeat. */
  progress(done: number, total?: number): void
  /**
   * Makes sure in a transaction that the piece is still this process's, and stays so until the transaction ends.
   * @throws LostLease
   */
  hold(trx: AnyTrx): Promise<void>
  /**
   * Ends the piece in the transaction of the work itself, so that both are kept or neither. A piece that does not do so is ended
   * when {@link Kind.perform} returns.
   * @throws LostLease when another has it by now: nothing of the transaction may be kept
   */
  end(trx: AnyTrx, result?: string): Promise<void>
}

/** How a piece was left without being done. */
export interface Leaving {
  /** `failed`: given up; `again`: to be begun again after a pause; `back`: as if never begun, because the server ends or it was put off. */
  readonly how: 'failed' | 'again' | 'back'
  /** In words for whoever looks at the queue; null for `back`. */
  readonly reason: string | null
  /** What was thrown; null for work that ended its process each time. */
  readonly error: unknown
}

/** One kind of work. Every process must know all of them; a piece of a kind that a process does not know is left to others. */
export interface Kind<K extends WorkKind = WorkKind> {
  readonly kind: K
  readonly lane: Lane
  /** How often a piece is begun at most, where whoever enters it does not say. */
  readonly mostTries: number
  /** Pieces that were done are forgotten at once: they come every few seconds, or what came of them is kept elsewhere. */
  readonly forgetsDone?: true
  /** Milliseconds until a piece that failed is begun again, times the number of tries; 20 seconds by default. */
  readonly pause?: number
  /**
   * Does the work. A text that it returns is kept with the piece. It may be begun again after an end of the process, also when
   * all was done but the end itself: what must be done once is done in the transaction of {@link Piece.end}.
   */
  perform(piece: Piece<K>): Promise<unknown>
  /** True for an error that another try would meet again. {@link FinalFailure} is final in any case. */
  isFinal?(error: unknown): boolean
  /** Changes what belongs to the work, in the transaction in which a piece is left without being done. */
  left?(trx: AcrossTrx, item: Item<K>, leaving: Leaving): Promise<void>
  /** Changes what belongs to the work, in the transaction in which somebody lets a piece that was given up be tried again. */
  retried?(trx: AcrossTrx, item: Omit<Item<K>, 'payload'>): Promise<void>
}

/** Work that cannot succeed: it is not tried again. */
export class FinalFailure extends Error {
  override name = 'FinalFailure'
}

/** Thrown by work that is to go on later, as if it had not been begun: how a kind keeps its pace. */
export class Postponed extends Error {
  override name = 'Postponed'
  constructor(readonly until: Date) {
    super(`postponed until ${until.toISOString()}`)
  }
}

/** The piece is another process's by now, or cancelled: what was done for it is thrown away. */
export class LostLease extends Error {
  override name = 'LostLease'
  constructor() {
    super('The piece of work is no longer this process’s.')
  }
}

/** The server ends: its pieces are given back. */
export class Closing extends Error {
  override name = 'Closing'
}
