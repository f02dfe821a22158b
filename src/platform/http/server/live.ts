import type { FastifyInstance } from 'fastify'
import type { Reader } from '../../database/database.ts'
import { type Live, liveFor } from '../../database/live.ts'
import type { Person } from './access.ts'

/**
 * The live handle of somebody who is signed in: it meets the rows of the person's tenant that are not removed, and stamps what
 * it writes with the person.
 * @param on a transaction of the raw handle; the server by default
 */
export const liveAs = (
  app: Pick<FastifyInstance, 'db' | 'now'>,
  { tenantId, userId }: Pick<Person, 'tenantId' | 'userId'>,
  on: Pick<FastifyInstance, 'db'> | Reader = app,
): Live => liveFor(on, { tenantId, userId, now: () => app.now() })
