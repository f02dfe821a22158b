import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Unavailable } from '../../database/unavailability.ts'
import { processLive, processReady, serverHealth } from '../contract.ts'
import { messageFor } from './envelope.ts'
import { sent, serve } from './serve.ts'
import { retryAfter, unavailable } from './unavailable.ts'

/**
 * Whether a process can do its work, or what is in the way: it is being built or about to end; the database does not answer, takes
 * no writes or has no space; its tables are not those of this program; the files of the installation, or the disk for them, are not
 * there.
 */
export type Readiness =
  | 'ready'
  | 'starting'
  | 'stopping'
  | 'database'
  | 'read-only'
  | 'full'
  | 'schema'
  | 'files'
  | 'disk'

const words: Readonly<Record<Unavailable, Readiness>> = { away: 'database', 'read-only': 'read-only', full: 'full' }

/** The refusal that goes with a reason. */
const reasons: Readonly<Partial<Record<Readiness, Unavailable>>> = {
  'read-only': 'read-only',
  full: 'full',
  disk: 'full',
}

async function readinessOf(app: FastifyInstance): Promise<Readiness> {
  if (app.isDraining()) return 'stopping'
  // A gateway to another server has neither.
  if (app.config.bladeApi) return 'ready'
  const [{ database, disk, schema }, files] = await Promise.all([app.health(), app.filesFit()])
  if (database !== 'up') return words[database]
  if (disk !== 'up') return 'disk'
  if (!schema) return 'schema'
  return files ? 'ready' : 'files'
}

/** Tells those who watch over processes: whether this one lives, and whether it is to be given calls. */
export default fp(
  async app => {
    serve(app, processLive, () => ({ status: 'up' as const }))
    serve(app, processReady, async ({ reply, request }) => {
      const status = await readinessOf(app)
      if (status === 'ready') return { status }
      const msg = messageFor(request, unavailable(reasons[status] ?? 'away'))
      reply.code(503).header('retry-after', String(retryAfter))
      return sent(reply.send({ code: 503, success: false, data: { status }, msg }))
    })
    if (app.config.bladeApi) return
    serve(app, serverHealth, async ({ reply, request }) => {
      const [{ database, disk }, readiness] = await Promise.all([app.health(), readinessOf(app)])
      if (readiness === 'ready') return { status: 'up' as const, database: 'up' as const, disk: 'up' as const }
      const msg = messageFor(request, unavailable(database === 'up' ? (disk === 'up' ? 'away' : disk) : database))
      reply.code(503).header('retry-after', String(retryAfter))
      return sent(reply.send({ code: 503, success: false, data: { status: 'down', database, disk }, msg }))
    })
  },
  { name: 'readiness', dependencies: ['clock', 'closing', 'envelope'] },
)
