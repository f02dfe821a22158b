import type { Found, FoundTable } from './found.ts'
import { isWider } from './plan.ts'
import type { WantedTable } from './wanted.ts'

/** What decides whether older programs can work with tables that a newer one is about to change. */
export interface Step {
  /** The tables before the step. */
  readonly found: Found
  /** The tables after it. */
  readonly tables: readonly WantedTable[]
  /** Rules that rows of before break, as a database remembers them: they are not enforced, before and after. */
  readonly open: ReadonlySet<string>
  /** Texts of the numbered files that are to run. */
  readonly files: readonly string[]
}

/** The first line of a numbered file after which older programs can work as before. */
const mark = /^-- Older programs go on\.$/m

/**
 * Why programs that know the tables only as they were before a step cannot work with them afterwards; empty when they can. They
 * can when the step only adds: tables, columns that may be left out, wider texts, indexes that refuse nothing.
 */
export function reasonsAgainstOlder({ found, tables, open, files }: Step): string[] {
  const ofFiles = files.filter(text => !mark.test(text)).length
  return [
    ...(ofFiles > 0 ? [`${ofFiles} numbered files do not say that older programs go on`] : []),
    ...tables.flatMap(wanted => {
      const table = found.tables[wanted.name]
      return table ? [...columnReasons(wanted, table), ...ruleReasons(wanted, table, open)] : []
    }),
  ]
}

function columnReasons(wanted: WantedTable, found: FoundTable): string[] {
  const reasons: string[] = []
  for (const [name, column] of Object.entries(wanted.columns)) {
    const at = `${wanted.name}.${name}`
    const before = found.columns[name]
    if (!before) {
      if (column.renamed && found.columns[column.renamed]) reasons.push(`${at} is renamed`)
      else if (column.required && column.preset === null) reasons.push(`${at} is new and required`)
      continue
    }
    if (before.type !== column.type && !isWider(before.type, column.type)) reasons.push(`${at} becomes ${column.type}`)
    if (column.required && !before.required) reasons.push(`${at} is required`)
    if (before.preset !== null && column.preset === null) reasons.push(`${at} has no default`)
  }
  return reasons
}

function ruleReasons(wanted: WantedTable, found: FoundTable, open: ReadonlySet<string>): string[] {
  const isNew = (column: string) => !found.columns[column]
  const rules = Object.entries(wanted.rules).filter(
    ([name, { column, others = [] }]) =>
      found.rules[name] === undefined && !open.has(name) && ![column, ...others].every(isNew),
  )
  const unique = (name: string) => name.startsWith('u_')
  const added = Object.keys(wanted.indexes).filter(name => unique(name) && found.indexes[name] === undefined)
  // What is inserted or changed "on conflict" names it.
  const gone = Object.keys(found.indexes).filter(
    name => unique(name) && !(name in wanted.indexes) && !found.held.includes(name),
  )
  return [...rules.map(([name]) => name), ...added, ...gone].map(name => `${wanted.name}: ${name}`)
}
