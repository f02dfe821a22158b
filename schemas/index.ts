import type { Dictionary, Entity, TablesOf } from '#engine'
import * as all from './all.ts'
import { dictionaries as shared } from './dictionaries.ts'

type Exported = (typeof all)[keyof typeof all]

/** Every entity. The list makes the tables. */
export const entities = Object.values(all).filter(
  (one): one is Extract<Exported, Entity> => 'type' in one && one.type === 'object',
) as readonly Extract<Exported, Entity>[]

/** Every dictionary: those that several schemas share, and those that a schema file has for itself. */
export const dictionaries: readonly Dictionary[] = [
  ...shared,
  ...Object.values<object>(all).filter((one): one is Dictionary => 'entries' in one),
]

/** The tables of all entities for a typed query builder. */
export type Tables = TablesOf<typeof entities>
