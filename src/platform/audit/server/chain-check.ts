import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Reader } from '../../database/database.ts'
import type { Person } from '../../http/server/access.ts'
import { eachAlone } from '../../queue/each-alone.ts'

/** What became of a chain of digests. */
export interface ChainState {
  /** Entries that were looked at. */
  readonly count: number
  /** The first that is not as it was written, for an operator; null when all are. */
  readonly fault: string | null
}

/** Computes a chain of a tenant anew, in portions, and stops at the signal. @throws its reason */
export type ChainCheck = (app: FastifyInstance, tenantId: string, signal: AbortSignal) => Promise<ChainState>

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    /** Chains that later modules keep beside the security log, by the names under which their state is kept. */
    chains: Readonly<Record<string, ChainCheck>>
  }
}

declare module '../../database/tables.ts' {
  interface InternalTables {
    chain_check: { tenantId: string; chain: string; count: number; fault: string | null; time: Date }
  }
}

const day = 86_400

/** Seconds after which nobody knows any more whether a chain is whole. */
const holds = 3 * day

/** How the chains of an installation were when they were last looked at. */
export interface ChainsState {
  /** Tenants of which a chain is not as it was written, by their names. */
  readonly broken: readonly string[]
  /** How long ago that of the chain was which has not been looked at for longest; null before the first. */
  readonly ageSeconds: number | null
}

/** Reads how the chains were found. */
export async function readChains(db: Reader): Promise<ChainsState> {
  const { rows } = await sql<{ name: string; isBroken: boolean; age: number }>`
    SELECT coalesce(t."tenantName", c."tenantId") AS name, bool_or(c.fault IS NOT NULL) AS "isBroken",
      extract(epoch FROM clock_timestamp() - min(c."time"))::float8 AS age
    FROM chain_check c LEFT JOIN tenant t USING ("tenantId") GROUP BY 1, "tenantId" ORDER BY "tenantId"`.execute(db)
  return {
    broken: rows.flatMap(({ name, isBroken }) => (isBroken ? [name] : [])),
    ageSeconds: rows.length === 0 ? null : Math.max(...rows.map(({ age }) => age)),
  }
}

/** How many chains of a person's tenant were not as they were written when they were last looked at. */
export async function chainsBroken({ db }: { readonly db: Reader }, { tenantId }: Pick<Person, 'tenantId'>) {
  const { rows } = await sql<{ num: number }>`
    SELECT count(*)::int AS num FROM chain_check WHERE "tenantId" = ${tenantId} AND fault IS NOT NULL`.execute(db)
  return { num: rows[0]?.num ?? 0, oldest: null, overdue: 0, due: null }
}

/** Whether the last look is so long ago that somebody should see why. */
export const isLookOld = ({ ageSeconds }: Pick<ChainsState, 'ageSeconds'>): boolean =>
  ageSeconds !== null && ageSeconds > holds

const checkAudit: ChainCheck = async ({ audit }, tenantId, signal) => {
  const { count, broken, fault } = await audit.verify(tenantId, signal)
  return { count, fault: broken === null ? null : `entry ${broken} was ${fault}` }
}

/** Computes all chains of all tenants anew, one after another, and keeps what became of each. */
async function checkChains(app: FastifyInstance, signal: AbortSignal): Promise<void> {
  const { db } = app
  const tenants = await db.selectFrom('tenant').select('tenantId').orderBy('tenantId').execute()
  const chains = Object.entries({ auditlog: checkAudit, ...app.extensions.chains })
  const each = tenants.flatMap(({ tenantId }) => chains.map(([chain, check]) => ({ tenantId, chain, check })))
  await eachAlone(
    app,
    each,
    async ({ tenantId, chain, check }) => {
      const { count, fault } = await check(app, tenantId, signal)
      const found = { count, fault, time: sql<Date>`clock_timestamp()` }
      await db
        .insertInto('chain_check')
        .values({ tenantId, chain, ...found })
        .onConflict(conflict => conflict.columns(['tenantId', 'chain']).doUpdateSet(found))
        .execute()
      if (fault === null) return 1
      app.log.error({ tenantId, chain, fault }, 'a chain is not as it was written')
      app.journal.note('error', 'chain-check', { tenantId, chain, fault })
      return 1
    },
    signal,
  )
}

/** Looks once a day whether the security log and what is chained like it are as they were written. */
export default async function chainJobs(app: FastifyInstance): Promise<void> {
  const { db } = app
  app.meter.gauge('audit_chain_ok', async () => {
    const state = await readChains(db)
    if (state.broken.length > 0) return [{ labels: {}, value: 0 }]
    return state.ageSeconds === null || isLookOld(state) ? [] : [{ labels: {}, value: 1 }]
  })
  app.jobs.every({
    name: 'chain-check',
    title: '核对防篡改日志',
    seconds: day,
    within: [3600, 2 * day],
    harmlessToPause: true,
    work: signal => checkChains(app, signal),
  })
}
