import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { WorkState } from '#schemas/dictionaries'
import { isLookOld, readChains } from '../../../platform/audit/server/chain-check.ts'
import { isBackupOld, readBackupState } from '../../../platform/backup/backup-state.ts'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { HealthSign } from '../contract.ts'
import { certificateSigns } from './certificates.ts'

/** Less of the disk than this is little, in percent. */
const littleDisk = 10
/** Seconds: due work that has waited longer is stuck, and a standby that is further behind is late. */
const stuck = 600
const late = 10
/** Milliseconds by which the clocks of process and database may differ. */
const apart = 2000
/** Bytes of log that a slot may hold back. */
const mostHeld = 1024 ** 3

const sign = (code: HealthSign['code'], isBad: boolean, num = 0, text = ''): HealthSign => ({ code, isBad, num, text })

/** The disk with the data of this process; nothing where the system does not tell. */
async function diskSigns({ config }: Pick<FastifyInstance, 'config'>): Promise<HealthSign[]> {
  const found = await statfs(config.dataDir).catch(() => null)
  if (!found || found.blocks === 0) return []
  const free = Math.round((found.bavail / found.blocks) * 100)
  return [sign('disk', free < littleDisk, free)]
}

/** The last backup, and what slots hold back for who receives the log. */
async function backupSigns({ pool, config }: Pick<FastifyInstance, 'pool' | 'config'>): Promise<HealthSign[]> {
  const { last, failure, slots } = await readBackupState(pool)
  const hours = Math.floor((last?.ageSeconds ?? 0) / 3600)
  return [
    last
      ? sign('backup', isBackupOld(last), hours)
      : config.backupDir === undefined
        ? sign('backup-off', false)
        : sign('backup-none', true),
    ...(failure ? [sign('backup-failed', true, 0, failure)] : []),
    ...(slots.length === 0 ? [sign('slot-none', false)] : []),
    ...slots.map(({ name, isActive, isLost, heldBytes }) => {
      if (isLost) return sign('slot-lost', true, 0, name)
      const held = Math.round(heldBytes / 1024 ** 2)
      return sign(isActive ? 'slot' : 'slot-idle', !isActive || heldBytes > mostHeld, held, name)
    }),
  ]
}

interface Database {
  standby: boolean
  now: Date
  replicas: number
  lag: number
  waited: number | null
}

/** The clock of the database, which role it has, how far its standbys are behind, and how long due work has waited. */
async function databaseSigns({ pool }: Pick<FastifyInstance, 'pool'>): Promise<HealthSign[]> {
  const client = await pool.connect()
  try {
    const asked = Date.now()
    const { rows } = await client.query<Database>(
      `SELECT pg_is_in_recovery() AS standby, clock_timestamp() AS now, r.replicas, r.lag,
         (SELECT extract(epoch FROM clock_timestamp() - min("runAt"))::float8 FROM work_item
          WHERE state = $1 AND "runAt" <= clock_timestamp()) AS waited
       FROM (SELECT count(*)::int AS replicas, coalesce(max(extract(epoch FROM replay_lag)), 0)::float8 AS lag
             FROM pg_stat_replication WHERE application_name NOT LIKE 'juxian%') r`,
      [WorkState.waiting],
    )
    const middle = (asked + Date.now()) / 2
    const { standby, now, replicas, lag, waited } = rows[0]!
    const difference = Math.round(Math.abs(now.getTime() - middle))
    return [
      waited === null ? sign('work-none', false) : sign('work', waited > stuck, Math.round(waited)),
      sign('clock', difference > apart, difference),
      sign(standby ? 'standby' : 'primary', standby),
      replicas === 0 ? sign('replica-none', false) : sign('replica', lag > late, Math.round(lag), String(replicas)),
    ]
  } finally {
    client.release()
  }
}

/** Whether the chains of digests are as they were written, as far as the last look has found. */
async function chainSigns({ db }: Pick<FastifyInstance, 'db'>): Promise<HealthSign[]> {
  const state = await readChains(db)
  if (state.ageSeconds === null) return [sign('audit-none', false)]
  if (state.broken.length > 0) return state.broken.map(name => sign('audit-broken', true, 0, name))
  return [sign('audit', isLookOld(state), Math.floor(state.ageSeconds / 3600))]
}

/**
 * How the installation does, as this process sees it.
 * @throws request.forbidden for people of other tenants than the first, whose administrators keep the installation
 */
export async function systemHealth(
  app: Pick<FastifyInstance, 'pool' | 'db' | 'now' | 'config'>,
  { tenantId }: Person,
): Promise<HealthSign[]> {
  if (tenantId !== firstTenant) throw refuse('request.forbidden')
  const found = await Promise.all([
    diskSigns(app),
    databaseSigns(app),
    backupSigns(app),
    chainSigns(app),
    certificateSigns(app),
  ])
  return found.flat()
}
