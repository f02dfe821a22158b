import type { FastifyInstance } from 'fastify'
import { endOldLogs } from '../actions/log/retention.ts'

/** Service `blade-log`: its calls are generated; what is added is that old lines end. */
export default async function logRoutes(app: FastifyInstance): Promise<void> {
  app.jobs.every(3600, 'log-retention', () => endOldLogs(app))
}
