import { firstTenant } from '../../../platform/database/first-tenant.ts'
import type { Live } from '../../../platform/database/live.ts'
import { liveIn } from '../../../platform/http/server/live.ts'
import { type Dictionaries, type NamedDictionary, ownDictionaries } from './fields.ts'
import type { FieldRow } from './rows.ts'
import type { Asking } from './source.ts'

/** Rows of dictionaries that people have made in the console, the heading of each first. */
async function rowsOf(db: Live, table: 'dict' | 'dict_biz', codes: readonly string[]) {
  return db
    .selectFrom(table)
    .select(['code', 'dictKey', 'dictValue', 'parentId'])
    .where('code', 'in', [...codes])
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

const isWhole = (key: string): boolean => /^(0|[1-9]\d{0,8})$/.test(key)

/**
 * The dictionaries that fields name: those of the program, and those that are kept in the database alone, of the first tenant
 * whoever asks.
 */
export async function dictionariesOf({ app }: Pick<Asking, 'app'>, fields: readonly FieldRow[]): Promise<Dictionaries> {
  const codes = [...new Set(fields.flatMap(({ dictCode }) => dictCode || []))].filter(
    code => !ownDictionaries.has(code),
  )
  const found = new Map<string, NamedDictionary>(ownDictionaries)
  if (codes.length === 0) return found
  const db = liveIn(app, firstTenant)
  for (const table of ['dict_biz', 'dict'] as const) {
    const rows = await rowsOf(db, table, codes)
    for (const code of new Set(rows.map(row => row.code))) {
      const own = rows.filter(row => row.code === code)
      const title = own.find(row => !row.parentId || row.parentId === '0')?.dictValue ?? code
      const entries = own
        .filter(row => row.parentId && row.parentId !== '0')
        .map(row => [row.dictKey ?? '', row.dictValue] as const)
      const biz = table === 'dict_biz'
      const type = !biz && entries.every(([key]) => isWhole(key)) ? 'integer' : 'string'
      if (entries.length > 0) found.set(code, { code, title, entries, biz, type })
    }
  }
  return found
}
