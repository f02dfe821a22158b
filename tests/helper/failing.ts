import { AsyncLocalStorage } from 'node:async_hooks'
import { betweenStatements, type Sending } from './statements.ts'

/** Counts down to the statement that fails. */
interface Count {
  left: number
}

const counts = new AsyncLocalStorage<Count>()

const opensOrEnds = /^\s*(begin|commit|rollback|start transaction)/i

/**
 * Does some work of which one statement fails, as if the connection had broken: what is open is rolled back.
 * @param nth which statement it is, from 1; those that begin and end transactions are not counted
 * @returns whether the work came so far
 */
export async function failingAt(server: Sending, nth: number, work: () => Promise<unknown>): Promise<boolean> {
  const count = { left: nth }
  const stop = betweenStatements(server, (text, rest) => {
    const own = counts.getStore()
    // Calls with a callback are those of the pool itself, outside of transactions.
    const isOfPool = typeof rest.at(-1) === 'function'
    if (!own || isOfPool || opensOrEnds.test(text) || --own.left !== 0) return undefined
    return Promise.reject(new Error('the statement was lost'))
  })
  try {
    await counts.run(count, work)
  } finally {
    stop()
  }
  return count.left <= 0
}
