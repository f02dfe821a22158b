import { RegionLevel } from '#schemas/dictionaries'
import type { Region } from '#schemas/system/region'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../http/server/refusal.ts'

const country = '00'

/** Fields that name the place of each level, by level. */
const levels = ['province', 'city', 'district', 'town', 'village'] as const

/** Places know the codes and names of everything above them. */
export const regionHooks: Hooks<typeof Region> = {
  async beforeSubmit({ db, set }, given, before) {
    const row = { ...before, ...given }
    const level = row.regionLevel ?? RegionLevel.country
    const parent = await db
      .selectFrom('region')
      .selectAll()
      .where('code', '=', row.parentCode ?? '')
      // What a row is added below is neither removed nor renamed meanwhile.
      .$if(!before, one => one.forShare())
      .executeTakeFirst()
    if (level > RegionLevel.country && !parent)
      throw refuse('input.invalid', { 说明: '上级编号不存在' }, [{ field: 'parentCode', msg: '上级编号不存在' }])
    if (before && before.code !== row.code) throw refuse('input.invalid', { 说明: '区划编号不能修改' })
    set({ ancestors: parent ? [parent.ancestors, parent.code].filter(Boolean).join() : '' })
    levels.forEach((name, i) => {
      const isOwn = level === i + 1
      const isAbove = level > i + 1
      const [code, title] = [`${name}Code`, `${name}Name`] as const
      set({
        [code]: isOwn ? row.code : isAbove ? parent?.[code] : '',
        [title]: isOwn ? row.name : isAbove ? parent?.[title] : '',
      })
    })
  },

  /** What stands below knows its places by name; where it stands is not changed under it. */
  async afterSubmit({ db }, row, before) {
    if (!before) return
    const at = row.regionLevel
    if (before.parentCode !== row.parentCode || before.regionLevel !== at) {
      const below = await db
        .selectFrom('region')
        .select('id')
        .where('parentCode', '=', row.code)
        .limit(1)
        .executeTakeFirst()
      if (below) throw refuse('input.invalid', { 说明: '有下级区划，不能更换上级或层级' })
    }
    const level = levels[at - 1]
    if (!level || before.name === row.name) return
    await db
      .updateTable('region')
      .set({ [`${level}Name`]: row.name })
      .where(`${level}Code`, '=', row.code)
      .where('id', '<>', row.id)
      .execute()
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.code === country)) throw refuse('row.builtIn')
  },
}
