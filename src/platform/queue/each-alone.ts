import type { FastifyInstance } from 'fastify'

/**
 * Works on each of several tenants, exams or rows by itself, one after the other: one that fails holds up no other.
 * @param work resolves with how many things it did
 * @param signal stops before the next one
 * @returns how many things were done in all
 * @throws the first failure, when the others have had their turn; the others are in the log
 */
export async function eachAlone<T extends object>(
  { log }: Pick<FastifyInstance, 'log'>,
  items: Iterable<T>,
  work: (item: T) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let done = 0
  const failures: unknown[] = []
  for (const item of items) {
    signal?.throwIfAborted()
    try {
      done += await work(item)
    } catch (err) {
      signal?.throwIfAborted()
      if (failures.length > 0) log.error({ err, item }, 'one of several pieces of work failed')
      failures.push(err)
    }
  }
  if (failures.length > 0) throw failures[0]
  return done
}
