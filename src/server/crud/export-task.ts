import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Person } from '../access.ts'
import { refuse } from '../domain/refusal.ts'

/** After this many milliseconds an export that is said to be running has been lost with its process. */
const lost = 10 * 60_000

/** An export for the register. */
export interface NewExport {
  bizType: string
  /** What was asked for: filters and order. */
  params: Readonly<Record<string, unknown>>
}

/** An export in the register. */
interface Running {
  /** To be called once, when everything has left (`true`) or not. */
  end(isWhole: boolean, rowNum: number): Promise<void>
}

/** Enters an export in the register before its first byte leaves. @throws 28007 while the person's same one is running */
export async function beginExport(app: FastifyInstance, person: Person, task: NewExport): Promise<Running> {
  const { userId, tenantId } = person
  const now = app.now()
  const params = JSON.stringify(task.params)
  const key = ['export', tenantId, userId, task.bizType, params].join(' ')
  const { id } = await app.db.transaction().execute(async trx => {
    const lock = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS mine`
      .execute(trx)
      .then(({ rows }) => rows[0])
    const same = await trx
      .selectFrom('exporttask')
      .select('id')
      .where('createUser', '=', userId)
      .where('bizType', '=', task.bizType)
      .where('taskStatus', '=', 1)
      .where('createTime', '>', new Date(now.getTime() - lost))
      .where(sql<boolean>`params = ${params}::jsonb`)
      .executeTakeFirst()
    if (!lock?.mine || same) throw refuse(28007)
    return trx
      .insertInto('exporttask')
      .values({
        ...{ tenantId, bizType: task.bizType, params, taskStatus: 1, sensitive: 0 },
        ...{ createUser: userId, createDept: person.deptIds[0] ?? null, createTime: now, updateTime: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
  const end = async (isWhole: boolean, rowNum: number): Promise<void> => {
    await app.db
      .updateTable('exporttask')
      .set({ taskStatus: isWhole ? 2 : 3, rowNum, updateTime: app.now() })
      .where('id', '=', id)
      .execute()
  }
  return { end }
}

/** Rows on their way out, counted; the export ends with them, however they end. */
export async function* registered<T>(running: Running, rows: AsyncIterable<T>): AsyncGenerator<T> {
  let sent = 0
  let isWhole = false
  try {
    for await (const row of rows) {
      yield row
      sent++
    }
    isWhole = true
  } finally {
    await running.end(isWhole, sent)
  }
}
