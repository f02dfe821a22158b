import type { FastifyInstance } from 'fastify'
import type { Reader, Trx } from '../../database/database.ts'
import { type AcrossTrx, type Live, type LiveTrx, liveFor } from '../../database/live.ts'
import type { Person } from './access.ts'

type Server = Pick<FastifyInstance, 'db' | 'now'>
type Whose = Pick<Person, 'tenantId' | 'userId'>

/**
 * The live handle of somebody who is signed in: it meets the rows of the person's tenant that are not removed, and stamps what
 * it writes with the person.
 * @param on a transaction of the raw handle; the server by default
 */
export function liveAs(app: Server, whose: Whose, on: Trx): LiveTrx
/** The live handle of somebody who is signed in, see above. */
export function liveAs(app: Server, whose: Whose, on?: Pick<FastifyInstance, 'db'> | Reader): Live
/** The live handle of somebody who is signed in, see above. */
export function liveAs(app: Server, { tenantId, userId }: Whose, on: Pick<FastifyInstance, 'db'> | Reader = app): Live {
  return liveFor(on, { tenantId, userId, now: () => app.now() })
}

/** The live handle of a tenant where nobody is signed in: what it writes is stamped with no person. */
export const liveIn = (app: Server, tenantId: string): Live =>
  liveFor(app, { tenantId, userId: null, now: () => app.now() })

/**
 * The live handle of a transaction for rows that somebody makes and nobody has changed yet: an act counts as repeated by whoever
 * changed a row last, which making it is not.
 */
export const authoredBy = (trx: LiveTrx, { tenantId, userId }: Whose, now: Date): LiveTrx =>
  liveFor(trx, { tenantId, userId: null, authorId: userId, now: () => now })

/**
 * The live handle of a transaction for what the program does by itself in it, such as booking money or closing what is not owed
 * any more. The person whose act it follows from is not its author: an act counts as repeated by whoever changed a row last.
 */
export const programOf = (trx: Trx | LiveTrx | AcrossTrx, { tenantId }: Pick<Person, 'tenantId'>, now: Date): LiveTrx =>
  liveFor(trx, { tenantId, userId: null, now: () => now })
