import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { MsgStatus, ReconStatus, SendStatus, SendType, TaskStatus } from '#schemas/dictionaries'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
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

const open = [TaskStatus.queued, TaskStatus.running] as const
const unsent = [MsgStatus.queued, MsgStatus.sending] as const

/** Exports in the background that are still to come. */
const exportsOf = (db: Live) =>
  db
    .selectFrom('exporttask')
    .select(eb => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('exports'),
      eb.fn.min('exporttask.createTime').as('oldestExport'),
    ])
    .where('inBackground', '=', 1)
    .where('taskStatus', 'in', open)

/** Messages of sendings that are under way or of the last day. */
const messagesOf = (db: Live, since: Date) =>
  db
    .selectFrom('sendmessage as x')
    .innerJoin('send as o', 'o.id', 'x.sendId')
    .select(eb => [
      eb.cast<number>(eb.fn.countAll().filterWhere('x.msgStatus', 'in', unsent), 'integer').as('queued'),
      eb.fn.min('o.sendTime').filterWhere('x.msgStatus', 'in', unsent).as('oldestQueued'),
      eb.cast<number>(eb.fn.countAll().filterWhere('x.msgStatus', '=', MsgStatus.failed), 'integer').as('failed'),
    ])
    .where('o.sendType', '<>', SendType.inbox)
    .where(eb => eb.or([eb('o.sendStatus', '=', SendStatus.sending), eb('x.sendTime', '>=', since)]))

/** Everything that rows tell, in one statement; rows of the tenant only. Errors stay counted when they are removed. */
async function count(db: Live, since: Date): Promise<Counted> {
  return db
    .selectFrom(exportsOf(db).as('e'))
    .innerJoin(messagesOf(db, since).as('m'), join => join.onTrue())
    .selectAll()
    .select(eb => [
      eb
        .selectFrom(withRemoved('log_error as l'))
        .select(of => of.cast<number>(of.fn.countAll(), 'integer').as('n'))
        .where('l.createTime', '>=', since)
        .$asScalar()
        .$notNull()
        .as('errors'),
      eb
        .selectFrom('reconciliation')
        .select(of => of.cast<number>(of.fn.countAll(), 'integer').as('n'))
        .where('reconStatus', '=', ReconStatus.different)
        .$asScalar()
        .$notNull()
        .as('differences'),
      eb
        .selectFrom('sendledger')
        .select(of => of.cast<number>(of.fn.coalesce(of.fn.sum('num'), of.lit(0)), 'integer').as('n'))
        .$asScalar()
        .$notNull()
        .as('balance'),
    ])
    .executeTakeFirstOrThrow()
}

/** How much of the disk with the data is free, in percent; null where the system does not tell. */
async function freeDisk(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null)
  return found && found.blocks > 0 ? Math.round((found.bavail / found.blocks) * 100) : null
}

/** Addresses that passed calls on in the last day without being trusted to say whose they are. */
async function countProxies(db: Live, now: Date): Promise<number> {
  const { n } = await db
    .selectFrom('throttle')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where(eb => eb.fn<boolean>('starts_with', ['key', eb.val(proxyMark)]))
    .where('until', '>', now)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Whether something has waited too long. */
const isStuck = (oldest: Date | null, now: Date): boolean => oldest !== null && now.getTime() - oldest.getTime() > stuck

/** How the system does, for whoever reads its error log; nothing for others. The disk is told to the first tenant only. */
export async function health(app: Pick<FastifyInstance, 'db' | 'now' | 'config'>, person: Person): Promise<Sign[]> {
  if (!person.permissions.has('log_error')) return []
  const isPlatform = person.tenantId === firstTenant
  const db = liveAs(app, person)
  const [found, disk, proxies] = await Promise.all([
    count(db, new Date(app.now().getTime() - day)),
    isPlatform ? freeDisk(app.config.dataDir) : null,
    isPlatform ? countProxies(db, app.now()) : 0,
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
