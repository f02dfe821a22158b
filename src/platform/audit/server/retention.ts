import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { tableOf } from '#engine'
import { entities } from '#schemas'
import { firstTenant } from '../../database/first-tenant.ts'
import { readNumberParam } from '../../database/param.ts'

/** Months whose partitions are made before they come. */
const ahead = 2

/** Bytes of a part, with its indexes, beyond which it ends at midnight and days follow. */
const most = 1024 ** 3

/** The logs that end; audit entries stay for good. Parameter → table. */
const logs = { 'log.api.days': 'log_api', 'log.error.days': 'log_error', 'log.usual.days': 'log_usual' } as const

/**
 * Makes the partitions of this month and the next two of every table that is cut by month, and those of stray rows. While an exam is
 * open at size a month would become too large to be copied, vacuumed or dropped at ease: then it ends at midnight and has days behind it.
 * Days always would be hundreds of partitions, all of which a list without times locks.
 * @param size bytes beyond which a part is too large
 * @throws AggregateError when some could not be made; the others are there
 */
export async function keepPartitions({ db, now }: FastifyInstance, size = most): Promise<void> {
  const faults: unknown[] = []
  for (const { name, partition } of entities) {
    if (!partition) continue
    const table = tableOf(name)
    const days = sql`SELECT keep_days(${table}, ${now()}, ${size})`
    const months = sql`SELECT keep_partitions(${table}, ${now()}, ${ahead})`
    // A part that cannot end at midnight keeps neither the next months nor other tables from having theirs.
    for (const one of [days, months])
      await db
        .transaction()
        .execute(trx => one.execute(trx))
        .catch(error => faults.push(error))
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Parts of logs could not be made.')
}

/**
 * Drops the months and days of the logs whose last line is older than the parameters of the first tenant say, which is 180 days at
 * least, as the law on network logs wants it.
 */
export async function endOldLogs(app: FastifyInstance): Promise<void> {
  for (const [key, table] of Object.entries(logs) as [keyof typeof logs, string][]) {
    const days = await readNumberParam(app.db, firstTenant, key)
    const before = new Date(app.now().getTime() - days * 86_400_000)
    const { rows } = await sql<{ ended: string[] }>`SELECT end_partitions(${table}, ${before}) AS ended`.execute(app.db)
    const ended = rows[0]?.ended ?? []
    if (ended.length > 0) app.journal.note('info', 'log-retention', { ended })
  }
}
