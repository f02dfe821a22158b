import { sql } from 'kysely'
import type { Dept } from '#schemas/system/dept'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../http/server/refusal.ts'

/** Departments know everything above them, as `0,<id>,<id>`. */
export const deptHooks: Hooks<typeof Dept> = {
  async beforeSubmit({ trx, set }, given, before) {
    const { parentId } = { ...before, ...given }
    if (!parentId) return set({ ancestors: '0' })
    const parent = await trx.selectFrom('dept').select('ancestors').where('id', '=', parentId).executeTakeFirst()
    if (!parent) throw refuse('row.notFound')
    set({ ancestors: `${parent.ancestors || '0'},${parentId}` })
  },

  async afterSubmit({ trx }, row, before) {
    if (!before || before.ancestors === row.ancestors) return
    const [old, now] = [below(before), below(row)]
    await trx
      .updateTable('dept')
      .set({ ancestors: sql<string>`${now} || substr(ancestors, ${old.length + 1}::int)` })
      .where(sql<boolean>`(ancestors = ${old} OR starts_with(ancestors, ${`${old},`}))`)
      .execute()
  },
}

/** What a department's children have as their ancestors. */
const below = (row: Dept): string => `${row.ancestors || '0'},${row.id}`
