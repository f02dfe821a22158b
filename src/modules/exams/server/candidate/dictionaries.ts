import type { DictEntry } from '../../../../engine/form-field.ts'
import type { Db } from '../../../../platform/access/server/caller.ts'
import { withRemoved } from '../../../../platform/database/live.ts'

interface Row {
  id: string
  parentId: string | null
  code: string
  dictKey: string
  dictValue: string
}

/** The row that names a dictionary has this key, or none. */
const isHead = (row: Row) => row.dictKey === '-1' || row.dictKey === ''

function tree(rows: readonly Row[], parents: ReadonlySet<string>, under: string | null): DictEntry[] {
  return rows
    .filter(row => (under === null ? !row.parentId || !parents.has(row.parentId) : row.parentId === under))
    .map(row => {
      const children = tree(rows, parents, row.id)
      return { key: row.dictKey, value: row.dictValue, ...(children.length ? { children } : {}) }
    })
}

const columns = ['id', 'parentId', 'code', 'dictKey', 'dictValue'] as const

/**
 * The entries of dictionaries by code: the tenant's own, else the system's.
 * @param sealed true also gives sealed entries, which still translate but are no longer offered
 */
export async function loadDicts(db: Db, codes: readonly string[], sealed = true): Promise<Record<string, DictEntry[]>> {
  const wanted = [...new Set(codes.filter(Boolean))]
  if (wanted.length === 0) return {}
  const most = sealed ? 1 : 0
  const rowsIn = (table: 'dict' | 'dict_biz'): Promise<Row[]> =>
    db
      .selectFrom(table)
      .select(columns)
      .where('code', 'in', wanted)
      .where(eb => eb(eb.fn.coalesce('isSealed', eb.lit(0)), '<=', most))
      .orderBy('sort')
      .orderBy('id')
      .execute()
  const [own, common] = await Promise.all([rowsIn('dict_biz'), rowsIn('dict')])
  return Object.fromEntries(wanted.map(code => [code, entriesOf(code, own, common)]))
}

function entriesOf(code: string, own: readonly Row[], common: readonly Row[]): DictEntry[] {
  const mine = own.filter(row => row.code === code && !isHead(row))
  const rows = mine.length ? mine : common.filter(row => row.code === code && !isHead(row))
  return tree(rows, new Set(rows.map(row => row.id)), null)
}

/** Names of regions, as a flat dictionary. */
export async function loadRegions(db: Db, codes: readonly string[]): Promise<DictEntry[]> {
  const wanted = [...new Set(codes.filter(code => /^\d{2,12}$/.test(code)))]
  if (wanted.length === 0) return []
  const rows = await db.selectFrom(withRemoved('region')).select(['code', 'name']).where('code', 'in', wanted).execute()
  return rows.map(row => ({ key: row.code, value: row.name }))
}
