import type { FastifyInstance } from 'fastify'
import { aliveNodes } from '../../../platform/queue/nodes.ts'

/** The names in a comma-joined list. */
export const namesIn = (list: string | null | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)

/** The processes that may do the work of a job: those that are alive, of those that it names. */
export async function nodesFor(
  app: FastifyInstance,
  { designatedWorkers }: { designatedWorkers: string | null },
): Promise<string[]> {
  const alive = await aliveNodes(app)
  const named = namesIn(designatedWorkers)
  return named.length === 0 ? alive : alive.filter(name => named.includes(name))
}
