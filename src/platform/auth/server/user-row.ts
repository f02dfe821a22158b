import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'

/** A row of the user table. */
export type UserRow = Selectable<Database['user']>
