import type { Kysely } from 'kysely'

declare const kind: unique symbol
declare const running: unique symbol

/** Tells kinds of handles apart: the raw one, and the live ones that limit and stamp. */
export interface Handle<Kind extends 'raw' | 'live' | 'across'> {
  readonly [kind]: Kind
}

/** Marks the handle of a running transaction. */
export interface Running {
  readonly [running]: true
}

/**
 * What statements are made with. Handles are interfaces of these members and not Kysely's own class: its type parameter alone
 * does not tell two handles apart, and comparing two of them member by member costs as much checking as a module.
 */
export type Statements<DB> = Pick<
  Kysely<DB>,
  | 'selectFrom'
  | 'selectNoFrom'
  | 'insertInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'with'
  | 'withRecursive'
  | 'fn'
  | 'getExecutor'
>

/** Runs work in a transaction: kept with its end, undone with its error. */
export interface Transactions<Trx> {
  execute<T>(work: (trx: Trx) => Promise<T>): Promise<T>
}
