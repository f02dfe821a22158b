import type { Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { LiveDatabase } from '../../database/live.ts'

/** An account that is not removed, with its tenant. */
export type UserRow = Selectable<LiveDatabase['user']> & Pick<Selectable<Database['user']>, 'tenantId'>
