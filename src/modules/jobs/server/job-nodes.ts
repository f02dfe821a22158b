import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { aliveNodes } from '../../../platform/queue/nodes.ts'

/** The processes that may do the work of a job: those that are alive, of those that it names. */
export async function nodesFor(
  app: FastifyInstance,
  { designatedWorkers }: { designatedWorkers: string | null },
): Promise<string[]> {
  const alive = await aliveNodes(app)
  const named = commaList(designatedWorkers)
  return named.length === 0 ? alive : alive.filter(name => named.includes(name))
}
