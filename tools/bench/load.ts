import autocannon, { type Request } from 'autocannon'

/** Requests open at any moment. */
export const connections = 32
/** Seconds of one round. */
const duration = 4
/** Rounds that each server has, in turn with the other. */
const rounds = 3

/** One kind of request, asked of two servers in turn. */
export interface Duel {
  name: string
  requests: Request[]
}

/** Medians over the rounds of one server. */
export interface Speed {
  perSecond: number
  p99: number
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function round(url: string, headers: Record<string, string>, requests: Request[]): Promise<Speed> {
  const outcome = await autocannon({ url, connections, duration, headers, requests })
  if (outcome.non2xx + outcome.errors > 0)
    throw new Error(`${url}: ${outcome.non2xx} refused, ${outcome.errors} failed`)
  return { perSecond: outcome.requests.average, p99: outcome.latency.p99 }
}

/**
 * Asks the product and the yardstick in turn (A B A B …), so that what else the machine does meets both alike.
 * @param calm waits until nothing of the round before is under way
 */
export async function fight(
  { requests }: Duel,
  servers: readonly [string, string],
  headers: Record<string, string>,
  calm: () => Promise<void>,
): Promise<[Speed, Speed]> {
  const speeds: [Speed[], Speed[]] = [[], []]
  for (let i = 0; i < rounds; i++)
    for (const [at, url] of servers.entries()) {
      await calm()
      speeds[at]?.push(await round(url, headers, requests))
    }
  const of = (all: readonly Speed[]): Speed => ({
    perSecond: median(all.map(one => one.perSecond)),
    p99: median(all.map(one => one.p99)),
  })
  return [of(speeds[0]), of(speeds[1])]
}
