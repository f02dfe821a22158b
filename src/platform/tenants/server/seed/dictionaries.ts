import { dictionaries } from '#schemas'
import { FlowCategory } from '#schemas/dictionaries'
import { firstTenant } from '../../../database/first-tenant.ts'
import { nations } from './nations.ts'
import type { Seeding } from './tenant.ts'

/** One dictionary as rows: its heading and its entries in order. */
interface Source {
  code: string
  title: string
  biz: boolean
  entries: Readonly<Record<string, string>>
  sealed?: readonly string[]
}

const sources: readonly Source[] = [
  ...(dictionaries as readonly Source[]),
  { code: 'nation', title: '民族', biz: true, entries: nations },
]

/** Rows of the heading of a dictionary have this key. */
const headingKey = '-1'

const base = { tenantId: firstTenant }
const heading = ({ code, title }: Source, sort: number) => ({
  ...base,
  isSealed: 0 as const,
  code,
  dictKey: headingKey,
  dictValue: title,
  sort,
})
const keyOf = (row: { code: string; dictKey: string }) => `${row.code} ${row.dictKey}`

/** Where the pages of a kind of process are, below `/work/process`, by key of dictionary `flow`. */
const flowRoutes: Readonly<Record<string, string>> = {
  [FlowCategory.leave]: 'leave',
  [FlowCategory.expense]: 'generic',
  [FlowCategory.business]: 'generic',
}

/** The entries in their order. An object gives `10` before `01`: where all keys are digits, their number counts. */
function ordered(entries: Source['entries']): [key: string, word: string][] {
  const pairs = Object.entries(entries)
  const isNumbered = pairs.every(([key]) => /^\d+$/.test(key))
  return isNumbered ? pairs.toSorted(([one], [other]) => Number(one) - Number(other)) : pairs
}

function entriesOf(source: Source, parentId: string) {
  return ordered(source.entries).map(([dictKey, dictValue], i) => ({
    ...base,
    isSealed: source.sealed?.includes(dictKey) ? (1 as const) : (0 as const),
    code: source.code,
    parentId,
    dictKey,
    dictValue,
    sort: i + 1,
    remark: source.code === 'flow' ? (flowRoutes[dictKey] ?? null) : null,
  }))
}

/**
 * The dictionaries that are missing. System dictionaries get new entries too; a business dictionary belongs to its tenant
 * from its first rows on.
 */
export async function seedDictionaries({ trx }: Seeding): Promise<void> {
  for (const table of ['dict', 'dict_biz'] as const) {
    const rows = await trx
      .selectFrom(table)
      .select(['id', 'code', 'dictKey'])
      .where('tenantId', '=', firstTenant)
      .execute()
    const found = new Map(rows.map(row => [keyOf(row), row.id]))
    const wanted = sources.filter(source => source.biz === (table === 'dict_biz'))
    const fresh = wanted.filter(source => !found.has(`${source.code} ${headingKey}`))
    if (fresh.length > 0) {
      const headings = await trx
        .insertInto(table)
        .values(fresh.map(source => heading(source, sources.indexOf(source) + 1)))
        .returning(['id', 'code', 'dictKey'])
        .execute()
      for (const row of headings) found.set(keyOf(row), row.id)
    }
    const filled = table === 'dict' ? wanted : fresh
    const missing = filled
      .flatMap(source => entriesOf(source, found.get(`${source.code} ${headingKey}`)!))
      .filter(row => !found.has(keyOf(row)))
    if (missing.length > 0) await trx.insertInto(table).values(missing).execute()
  }
}
