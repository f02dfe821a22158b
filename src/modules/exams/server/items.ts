import type { items } from '#resources/exams/items'
import type { HandlerOf } from '../../../crud/rules.ts'
import { inScope } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Puts a field of the library into use or out of it. Built-in ones, too: what is out of use is only no longer offered. */
export const changeItemStatus: HandlerOf<typeof items, 'changeStatus'> = async ({ app, db, person, ids, values }) => {
  const { numUpdatedRows } = await db
    .updateTable('items')
    .set({ status: values.status })
    .where('id', 'in', ids)
    .where(inScope(app, person, 'items'))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw refuse('row.notFound')
}
