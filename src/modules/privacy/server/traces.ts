import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { keeping } from '#schemas/keeping'
import { raw } from '../../../platform/database/live.ts'

/** Days for which an event is kept after everybody was told of it, unless somebody still has a message of it. */
const eventDays = 400
/** Rows of one statement. */
const portion = 1000

/**
 * Removes what the program has kept of its own work for long enough: messages that are older than their time and are about no exam or
 * one that was archived as long ago, and events of which nobody has a message any more. @returns how many of each
 */
export async function tidyTraces(app: FastifyInstance): Promise<{ messages: number; events: number }> {
  const now = app.now()
  // Of all tenants, and whatever has become of the rows.
  const db = raw(app)
  const run = async (statement: ReturnType<typeof sql>) => {
    let all = 0
    for (;;) {
      const { numAffectedRows, rows } = await statement.execute(db)
      const count = Math.max(Number(numAffectedRows ?? 0), rows.length)
      all += count
      if (count < portion) return all
    }
  }
  const { months } = keeping.messages
  // A delivery is kept as long as the message that it brought.
  const messages = await run(sql`
    WITH gone AS (DELETE FROM message WHERE id IN (SELECT m.id FROM message m JOIN event e ON e.id = m."eventId"
      LEFT JOIN examination x ON x.id = e."examId"
      WHERE m."messageTime" + make_interval(months => ${sql.lit(months)}) < ${now}
        AND (e."examId" IS NULL OR x.id IS NULL OR x."archiveTime" + make_interval(months => ${sql.lit(months)}) < ${now})
      LIMIT ${sql.lit(portion)}) RETURNING id),
    out AS (DELETE FROM delivery d USING gone g WHERE d."messageId" = g.id::text)
    SELECT id FROM gone`)
  const before = new Date(now.getTime() - eventDays * 86_400_000)
  const events = await run(sql`
    DELETE FROM event WHERE id IN (SELECT e.id FROM event e WHERE e."toldTime" < ${before}
      AND NOT EXISTS (SELECT 1 FROM message m WHERE m."eventId" = e.id) LIMIT ${sql.lit(portion)})`)
  if (messages + events > 0) app.journal.note('info', 'traces removed', { messages, events })
  return { messages, events }
}
