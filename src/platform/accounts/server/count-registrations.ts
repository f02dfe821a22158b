import type { FastifyInstance } from 'fastify'
import { firstTenant } from '../../database/first-tenant.ts'
import { readNumberParam } from '../../database/param.ts'
import { countOf, countUp } from '../../database/throttle.ts'
import { countedAddress } from '../../http/server/client-address.ts'
import { refuse } from '../../http/server/refusal.ts'

/** What became of a registration: an account, or the answer that a name or number is somebody's. */
type Outcome = 'done' | 'taken'

const limits = { done: 'limit.register.address', taken: 'limit.register.taken' } as const
const outcomes = ['done', 'taken'] as const

const keyOf = (outcome: Outcome, ip: string) => `register-${outcome}:${countedAddress(ip)}`

/**
 * @throws input.tooOften when an address has registered as many, or learnt of as many that are taken, as it may in an
 * hour
 */
export async function checkRegistrations({ db, now }: FastifyInstance, ip: string): Promise<void> {
  for (const outcome of outcomes) {
    const most = await readNumberParam(db, firstTenant, limits[outcome])
    if ((await countOf(db, keyOf(outcome, ip), now())) >= most) throw refuse('input.tooOften')
  }
}

/** Counts what became of a registration against its address. */
export const countRegistration = ({ db, now }: FastifyInstance, outcome: Outcome, ip: string) =>
  countUp(db, keyOf(outcome, ip), 3600, now())
