declare const kind: unique symbol

/**
 * Tells kinds of handles apart: the raw one, and the live ones that limit and stamp. Kysely's types accept a handle wherever
 * one of other tables is asked for, so tables and transactions carry a mark that no query can name.
 */
export interface Handle<Kind extends 'raw' | 'live' | 'across'> {
  readonly [kind]: Kind
}
