import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { MsgStatus, ReconStatus, SendStatus, SendType, TaskStatus } from '#schemas/dictionaries'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { proxyMark } from '../../../platform/http/server/untrusted-proxy.ts'
import type { Sign } from '../contract.ts'

const day = 86_400_000
/** A queue whose oldest entry is older than this is stuck, in milliseconds. */
const stuck = 10 * 60_000
/** Less of the disk than this is little, in percent. */
const littleDisk = 10
/** Fewer messages than this will not do for an exam. */
const fewMessages = 100

interface Counted {
  exports: number
  oldestExport: Date | null
  queued: number
  oldestQueued: Date | null
  failed: number
  errors: number
  differences: number
  balance: number
}

/** Everything that rows tell, in one statement; rows of the tenant only. */
async function count({ db, now }: Pick<FastifyInstance, 'db' | 'now'>, tenantId: string): Promise<Counted> {
  const since = new Date(now().getTime() - day)
  const { rows } = await sql<Counted>`
    SELECT e.num AS exports, e.oldest AS "oldestExport", m.queued, m.oldest AS "oldestQueued", m.failed,
      (SELECT count(*)::int FROM log_error WHERE "tenantId" = ${tenantId} AND "createTime" >= ${since}) AS errors,
      (SELECT count(*)::int FROM reconciliation
        WHERE "tenantId" = ${tenantId} AND "isDeleted" = 0 AND "reconStatus" = ${sql.lit(ReconStatus.different)}) AS differences,
      (SELECT coalesce(sum(num), 0)::int FROM sendledger
        WHERE "tenantId" = ${tenantId} AND "isDeleted" = 0) AS balance
    FROM (SELECT count(*)::int AS num, min("createTime") AS oldest FROM exporttask
        WHERE "tenantId" = ${tenantId} AND "isDeleted" = 0 AND "inBackground" = 1 AND "taskStatus" IN (${sql.lit(TaskStatus.queued)}, ${sql.lit(TaskStatus.running)})) e,
      (SELECT (count(*) FILTER (WHERE x."msgStatus" IN (${sql.lit(MsgStatus.queued)}, ${sql.lit(MsgStatus.sending)})))::int AS queued,
          min(o."sendTime") FILTER (WHERE x."msgStatus" IN (${sql.lit(MsgStatus.queued)}, ${sql.lit(MsgStatus.sending)})) AS oldest,
          (count(*) FILTER (WHERE x."msgStatus" = ${sql.lit(MsgStatus.failed)}))::int AS failed
        FROM sendmessage x JOIN send o ON o.id = x."sendId"
        WHERE x."tenantId" = ${tenantId} AND x."isDeleted" = 0 AND o."isDeleted" = 0
          AND o."sendType" <> ${sql.lit(SendType.inbox)}
          AND (o."sendStatus" = ${sql.lit(SendStatus.sending)} OR x."sendTime" >= ${since})) m`.execute(db)
  return rows[0] as Counted
}

/** How much of the disk with the data is free, in percent; null where the system does not tell. */
async function freeDisk(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null)
  return found && found.blocks > 0 ? Math.round((found.bavail / found.blocks) * 100) : null
}

/** Addresses that passed calls on in the last day without being trusted to say whose they are. */
async function countProxies({ db, now }: Pick<FastifyInstance, 'db' | 'now'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM throttle WHERE starts_with(key, ${proxyMark}) AND until > ${now()}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Whether something has waited too long. */
const isStuck = (oldest: Date | null, now: Date): boolean => oldest !== null && now.getTime() - oldest.getTime() > stuck

/** How the system does, for whoever reads its error log; nothing for others. The disk is told to the first tenant only. */
export async function health(app: Pick<FastifyInstance, 'db' | 'now' | 'config'>, person: Person): Promise<Sign[]> {
  if (!person.permissions.has('log_error')) return []
  const isPlatform = person.tenantId === firstTenant
  const [found, disk, proxies] = await Promise.all([
    count(app, person.tenantId),
    isPlatform ? freeDisk(app.config.dataDir) : null,
    isPlatform ? countProxies(app) : 0,
  ])
  const now = app.now()
  return [
    { code: 'exports', num: found.exports, isBad: isStuck(found.oldestExport, now) },
    { code: 'queued', num: found.queued, isBad: isStuck(found.oldestQueued, now) },
    { code: 'failed', num: found.failed, isBad: found.failed > 0 },
    { code: 'balance', num: found.balance, isBad: found.balance < fewMessages },
    { code: 'differences', num: found.differences, isBad: found.differences > 0 },
    { code: 'errors', num: found.errors, isBad: found.errors > 0 },
    ...(proxies === 0 ? [] : [{ code: 'proxies', num: proxies, isBad: true }]),
    ...(disk === null ? [] : [{ code: 'disk', num: disk, isBad: disk < littleDisk }]),
  ]
}
