import type { Hooks } from '../types.ts'

/** A text people confirmed is confirmed again once it says something else. */
export const noticeHooks: Hooks = {
  async afterSubmit({ trx, now }, row, before) {
    if (!before || (row.content === before.content && row.title === before.title)) return
    const id = String(row.id)
    await trx
      .updateTable('notifyread')
      .set({ sureState: 1, sureTime: null, updateTime: now })
      .where('noticeId', '=', id)
      .where('sureState', '=', 2)
      .execute()
    await trx.updateTable('notice').set({ sureNum: 0 }).where('id', '=', id).execute()
  },
}
