import type { FastifyInstance } from 'fastify'
import { endOldLogs, keepPartitions } from '../retention.ts'

/** Service `blade-log`: its calls are generated; what is added is that months begin and end. */
export default async function logRoutes(app: FastifyInstance): Promise<void> {
  app.jobs.every(3600, 'log-retention', async () => {
    await keepPartitions(app)
    await endOldLogs(app)
  })
}
