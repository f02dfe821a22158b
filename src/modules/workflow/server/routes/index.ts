import type { FastifyInstance } from 'fastify'
import { tellOverdue } from '../overdue.ts'
import { addFlowWork } from '../worker.ts'
import { followRoutes } from './follow.ts'
import { leaveRoutes } from './leave.ts'
import { managerRoutes, modelRoutes } from './models.ts'
import { officeRoutes } from './office.ts'
import { workRoutes } from './work.ts'

/** Services `blade-flow` and `blade-desk/process`: models, what is deployed of them, and what runs. */
export default async function flowRoutes(app: FastifyInstance): Promise<void> {
  addFlowWork(app)
  app.jobs.every({
    name: 'flow-overdue',
    title: '提醒超时的流程任务',
    seconds: 60,
    harmlessToPause: true,
    work: () => tellOverdue(app, app.now()),
  })
  workRoutes(app)
  officeRoutes(app)
  followRoutes(app)
  modelRoutes(app)
  managerRoutes(app)
  leaveRoutes(app)
}
