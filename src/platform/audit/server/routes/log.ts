import type { FastifyInstance } from 'fastify'
import { endOldLogs, keepPartitions } from '../retention.ts'

/** Service `blade-log`: its calls are generated; what is added is that months begin and end. */
export default async function logRoutes(app: FastifyInstance): Promise<void> {
  app.jobs.every({
    name: 'log-retention',
    title: '准备和清理日志分区',
    seconds: 3600,
    work: async () => {
      await endOldLogs(app)
      await keepPartitions(app)
    },
  })
}
