import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { readPlatformParam } from '../../database/param.ts'

/** Days that the law wants network logs to be kept at least. */
const leastDays = 180

/** Rows removed by one statement, so that none runs long. */
const portion = 5000

/** The logs that end; audit entries stay for good. Parameter → table. */
const logs = { 'log.api.days': 'log_api', 'log.error.days': 'log_error', 'log.usual.days': 'log_usual' } as const

const daysOf = (text: string | undefined): number => Math.max(leastDays, Number.parseInt(text ?? '', 10) || leastDays)

/** Removes lines of the logs that are older than the parameters of the first tenant say, never younger than 180 days. */
export async function endOldLogs(app: FastifyInstance): Promise<void> {
  const removed: Record<string, number> = {}
  for (const [key, table] of Object.entries(logs)) {
    const days = daysOf(await readPlatformParam(app.db, key))
    const before = new Date(app.now().getTime() - days * 86_400_000)
    for (let n = portion; n === portion; ) {
      const done = await sql`DELETE FROM ${sql.table(table)} WHERE id IN (SELECT id FROM ${sql.table(table)}
        WHERE "createTime" < ${before} LIMIT ${portion})`.execute(app.db)
      n = Number(done.numAffectedRows ?? 0)
      removed[table] = (removed[table] ?? 0) + n
    }
  }
  if (Object.values(removed).some(n => n > 0)) app.journal.note('info', 'log-retention', removed)
}
