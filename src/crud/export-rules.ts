import { exporttask } from '#resources/workbook/exporttask'
import { liveAs } from '../platform/http/server/live.ts'
import { filterWords } from './filter-words.ts'
import { findResource } from './lookup.ts'
import { type Derive, rules } from './rules.ts'

type Texts = Readonly<Record<string, string>>

/** The filters among what an export was asked with; exports of their own kind have them together, beside other wishes. */
function queryOf(params: Readonly<Record<string, unknown>>): Texts {
  const given = typeof params.filters === 'object' && params.filters !== null ? params.filters : params
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string')) as Texts
}

/** What the lists of exports were filtered by, in words. */
const deriveConditions: Derive<typeof exporttask> = async (ctx, rows) => {
  if (rows.length === 0) return []
  const tasks = await liveAs(ctx.app, ctx.person)
    .selectFrom('exporttask')
    .select(['id', 'bizType', 'params'])
    .where(
      'id',
      'in',
      rows.map(row => row.id),
    )
    .execute()
  const lists = tasks.flatMap(({ id, bizType, params }) => {
    const resource = findResource(bizType)
    return resource ? [{ id, resource, query: queryOf(params as Readonly<Record<string, unknown>>) }] : []
  })
  const words = await filterWords(ctx, lists)
  return rows.map(({ id }) => ({ condition: words[lists.findIndex(one => one.id === id)] ?? '' }))
}

/** Rules of the register of exports beyond its definition. */
export const exportRules = [rules(exporttask, { hooks: { derive: deriveConditions } })]
