import type { Hooks, Values } from '../../../crud/rule-types.ts'
import { refuse } from '../../http/server/refusal.ts'

const country = '00'

/** Fields that name the place of each level, by level. */
const levels = ['province', 'city', 'district', 'town', 'village'] as const

/** Places know the codes and names of everything above them. */
export const regionHooks: Hooks = {
  async beforeSubmit({ trx }, values, before) {
    const row: Values = { ...before, ...values }
    const level = Number(row.regionLevel)
    const parent = await trx
      .selectFrom('region')
      .selectAll()
      .where('code', '=', String(row.parentCode ?? ''))
      .where('isDeleted', '=', 0)
      .executeTakeFirst()
    if (level > 0 && !parent)
      throw refuse(29005, { 说明: '上级编号不存在' }, [{ field: 'parentCode', msg: '上级编号不存在' }])
    if (before && before.code !== row.code) throw refuse(29005, { 说明: '区划编号不能修改' })
    const filled: Values = { ancestors: parent ? [parent.ancestors, parent.code].filter(Boolean).join() : '' }
    const above = (parent ?? {}) as Values
    levels.forEach((name, i) => {
      const isOwn = level === i + 1
      const isAbove = level > i + 1
      filled[`${name}Code`] = isOwn ? row.code : isAbove ? above[`${name}Code`] : ''
      filled[`${name}Name`] = isOwn ? row.name : isAbove ? above[`${name}Name`] : ''
    })
    return { ...values, ...filled }
  },

  /** What stands below knows its places by name; where it stands is not changed under it. */
  async afterSubmit({ trx, now }, row, before) {
    if (!before) return
    const at = Number(row.regionLevel)
    if (before.parentCode !== row.parentCode || Number(before.regionLevel) !== at) {
      const below = await trx
        .selectFrom('region')
        .select('id')
        .where('parentCode', '=', String(row.code))
        .where('isDeleted', '=', 0)
        .limit(1)
        .executeTakeFirst()
      if (below) throw refuse(29005, { 说明: '有下级区划，不能更换上级或层级' })
    }
    const level = levels[at - 1]
    if (!level || before.name === row.name) return
    await trx
      .updateTable('region')
      .set({ [`${level}Name`]: String(row.name), updateTime: now })
      .where(`${level}Code`, '=', String(row.code))
      .where('id', '<>', String(row.id))
      .execute()
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.code === country)) throw refuse(29008)
  },
}
