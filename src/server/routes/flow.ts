import type { FastifyInstance } from 'fastify'
import { flowRoutes as deployments } from './flow/deployments.ts'
import { leaveRoutes } from './flow/leave.ts'
import { workRoutes } from './flow/work.ts'

/**
 * Services `blade-flow` and `blade-desk/process`. Models are kept and checked; no engine runs them yet, so nothing is ever
 * deployed, started or waiting: lists are empty, and what would move a process is refused after its input was checked.
 */
export default async function flowRoutes(app: FastifyInstance): Promise<void> {
  workRoutes(app)
  deployments(app)
  leaveRoutes(app)
}
