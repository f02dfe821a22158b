import { sql } from 'kysely'
import type { Dict } from '#schemas/system/dict'
import type { DictBiz } from '#schemas/system/dict-biz'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../http/server/refusal.ts'

/** Key of the row that heads a dictionary. */
const headingKey = '-1'

/** Within a dictionary every key stands once; entries carry the code of their heading. */
const hooksOf = (table: 'dict' | 'dict_biz'): Hooks<typeof Dict | typeof DictBiz> => ({
  async beforeSubmit({ db, set }, given, before) {
    const row = { ...before, ...given }
    const { parentId } = row
    const heading = parentId
      ? await db.selectFrom(table).select('code').where('id', '=', parentId).executeTakeFirst()
      : undefined
    const code = heading?.code ?? row.code ?? ''
    const dictKey = parentId ? (row.dictKey ?? '') : headingKey
    // Two people may add the same key at once; one dictionary is written by one at a time.
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`${table} ${code}`}))`.execute(db)
    const twin = await db
      .selectFrom(table)
      .select('id')
      .where('code', '=', code)
      .where('dictKey', '=', dictKey)
      .$if(before !== null, query => query.where('id', '!=', before?.id ?? ''))
      .executeTakeFirst()
    if (twin) throw refuse('row.codeTaken')
    set({ code, dictKey })
  },

  async afterSubmit({ db }, row, before) {
    if (!before || before.code === row.code || row.parentId) return
    await db.updateTable(table).set({ code: row.code }).where('parentId', '=', row.id).execute()
  },
})

/** Rules of the system's dictionaries. */
export const dictHooks = hooksOf('dict')

/** Rules of a tenant's dictionaries. */
export const dictBizHooks = hooksOf('dict_biz')
