import { sql } from 'kysely'
import type { Hooks } from '../../../crud/rule-types.ts'
import { refuse } from '../../http/server/refusal.ts'

/** Key of the row that heads a dictionary. */
const headingKey = '-1'

/** Within a dictionary every key stands once; entries carry the code of their heading. */
const hooksOf = (table: 'dict' | 'dict_biz'): Hooks => ({
  async beforeSubmit({ trx, person }, values, before) {
    const row = { ...before, ...values }
    const parentId = row.parentId ? String(row.parentId) : null
    const heading = parentId
      ? await trx.selectFrom(table).select('code').where('id', '=', parentId).executeTakeFirst()
      : undefined
    const code = heading?.code ?? String(row.code)
    const dictKey = parentId ? String(row.dictKey) : headingKey
    // Two people may add the same key at once; one dictionary is written by one at a time.
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`${table} ${code}`}))`.execute(trx)
    const twin = await trx
      .selectFrom(table)
      .select('id')
      .where('code', '=', code)
      .where('dictKey', '=', dictKey)
      .where('isDeleted', '=', 0)
      .$if(table === 'dict_biz', query => query.where('tenantId', '=', person.tenantId))
      .$if(before !== null, query => query.where('id', '!=', String(before?.id)))
      .executeTakeFirst()
    if (twin) throw refuse(29004)
    return { ...values, code, dictKey }
  },

  async afterSubmit({ trx }, row, before) {
    if (!before || before.code === row.code || row.parentId) return
    await trx
      .updateTable(table)
      .set({ code: String(row.code) })
      .where('parentId', '=', String(row.id))
      .execute()
  },
})

/** Rules of the system's dictionaries. */
export const dictHooks = hooksOf('dict')

/** Rules of a tenant's dictionaries. */
export const dictBizHooks = hooksOf('dict_biz')
