import type { Selectable } from 'kysely'
import type { LiveDatabase } from '../../../platform/database/live.ts'

/** The settings of a module. */
export type CodeRow = Selectable<LiveDatabase['code']>
/** A model. */
export type ModelRow = Selectable<LiveDatabase['model']>
/** A field of a model. */
export type FieldRow = Selectable<LiveDatabase['model_prototype']>
