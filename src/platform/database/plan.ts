import type { Found, FoundTable, Queryable } from './found.ts'
import {
  firstRules,
  quoteName as quote,
  quoteValue,
  type WantedColumn,
  type WantedRule,
  type WantedTable,
} from './wanted.ts'

/**
 * What is to be done about a difference. `safe`: done at once. `slow`: done beside the work of others, outside a transaction.
 * `open`: rows that were there before the rule break it; it is put on when none does any more. `refused`: nothing is done, and
 * the program does not start, before somebody has decided. `later`: done when somebody asks for it, since older programs may still
 * need what goes. `left`: nothing is done.
 */
export type DifferenceClass = 'safe' | 'slow' | 'open' | 'refused' | 'later' | 'left'

/** Classes of differences with which a program starts and leaves the database as it is. */
export const restingClasses: ReadonlySet<DifferenceClass> = new Set(['open', 'later', 'left'])

/** One thing in which a database differs from the definitions. */
export interface Difference {
  readonly class: DifferenceClass
  readonly table: string
  /** The column, index or constraint; null for the table itself. */
  readonly name: string | null
  /** What is different, and for `refused` what to do. */
  readonly says: string
  /** The statements that remove the difference; those of `slow` are sent one by one. */
  readonly sql: readonly string[]
  /** How many rows stand in the way, and the ids of some of them. */
  readonly rows?: number
  readonly ids?: readonly string[]
}

/** What a plan is made from. */
export interface Planning {
  readonly on: Queryable
  readonly tables: readonly WantedTable[]
  readonly found: Found
  /** Tables of more bytes than this are not locked for as long as an index takes. */
  readonly big: number
}

const isBig = ({ big }: Planning, table: FoundTable | undefined): boolean =>
  table !== undefined && !table.partitioned && table.bytes > big

/** How many ids a sentence names. */
const named = 10

interface Rows {
  readonly rows: number
  readonly ids: readonly string[]
}

/** Counts the rows of a table that meet a condition, and takes some of their ids. */
async function rowsWhere(on: Queryable, table: string, condition: string): Promise<Rows> {
  const { rows } = await on.query<{ n: number; ids: string[] | null }>(
    `SELECT count(*)::int AS n, (array_agg(t.id::text ORDER BY t.id))[1:${named}] AS ids FROM ${quote(table)} t WHERE ${condition}`,
  )
  return { rows: rows[0]?.n ?? 0, ids: rows[0]?.ids ?? [] }
}

/** Which of some conditions any row of a table meets. */
async function areMet(on: Queryable, table: string, conditions: readonly string[]): Promise<readonly boolean[]> {
  if (conditions.length === 0) return []
  const tests = conditions.map(one => `coalesce(bool_or(${one}), false)`)
  const { rows } = await on.query<{ met: boolean[] }>(`SELECT ARRAY[${tests.join(', ')}] AS met FROM ${quote(table)} t`)
  return rows[0]?.met ?? []
}

const countOf = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`
const where = ({ rows, ids }: Rows): string =>
  `${countOf(rows)} (id ${ids.join(', ')}${rows > ids.length ? ', …' : ''})`

const typeSql = ({ type, preset }: WantedColumn): string => `${type}${preset === null ? '' : ` DEFAULT ${preset}`}`

/** The table as the columns are called now: renamed ones under their new names, and what is renamed. */
function afterRenames(
  wanted: WantedTable,
  found: FoundTable,
): { columns: FoundTable['columns']; renames: [string, string][] } {
  const renames = Object.entries(wanted.columns).flatMap(([name, { renamed }]): [string, string][] =>
    renamed && !found.columns[name] && found.columns[renamed] && !wanted.columns[renamed] ? [[renamed, name]] : [],
  )
  const names = new Map(renames)
  const columns = Object.fromEntries(
    Object.entries(found.columns).map(([name, column]) => [names.get(name) ?? name, column]),
  )
  return { columns, renames }
}

/** The name under which the database has a column now. */
function presentName(wanted: WantedTable, found: FoundTable, name: string): string | undefined {
  if (found.columns[name]) return name
  return afterRenames(wanted, found).renames.find(([, to]) => to === name)?.[0]
}

/** The parts of a default that mean something: PostgreSQL shows constants with their type. */
const bare = (preset: string | null): string | null =>
  preset === null ? null : preset.replace(/::[a-z ]+(\([\d,]+\))?$/, '').replace(/^'(.*)'$/, '$1')

/**
 * Differences of tables, columns and indexes, in the order in which they are to be removed. What concerns the rows, such as
 * NOT NULL, CHECKs and foreign keys, is compared by {@link planRules} afterwards.
 */
export async function planTables(planning: Planning): Promise<Difference[]> {
  // An index goes only after the keys that need it, which may belong to other tables.
  const made = planning.tables.flatMap(wanted => {
    const found = planning.found.tables[wanted.name]
    return found ? oldRules(wanted, found) : []
  })
  for (const wanted of planning.tables) made.push(...(await planTable(planning, wanted)))
  return made
}

async function planTable(planning: Planning, wanted: WantedTable): Promise<Difference[]> {
  const found = planning.found.tables[wanted.name]
  const table = quote(wanted.name)
  const indexes = { ...wanted.indexes, ...(planning.found.trigram && wanted.trigramIndexes) }
  const cut = `SELECT cut_by_month(${quoteValue(wanted.name)})`
  if (!found) {
    const columns = Object.entries(wanted.columns).map(([name, one]) => `${quote(name)} ${typeSql(one)}`)
    const sql = [
      `CREATE TABLE ${table} (\n  ${[...columns, 'PRIMARY KEY (id)'].join(',\n  ')}\n)`,
      ...(wanted.partition ? [cut] : []),
      ...Object.values(indexes),
    ]
    return [{ class: 'safe', table: wanted.name, name: null, says: 'new table', sql }]
  }
  const made = await planColumns(planning, wanted, found)
  if (!wanted.partition && found.partitioned)
    made.push(
      refused(
        wanted.name,
        null,
        'is cut by month, but the definition does not say so. Join its parts in a numbered migration.',
      ),
    )
  if (wanted.partition && !found.partitioned) {
    const sql = [cut, ...Object.values(indexes)]
    return [...made, { class: 'safe', table: wanted.name, name: null, says: 'cut by month', sql }]
  }
  return [...made, ...(await planIndexes(planning, wanted, found, indexes))]
}

const refused = (table: string, name: string | null, says: string, rows?: Rows): Difference => ({
  class: 'refused',
  table,
  name,
  says,
  sql: [],
  ...(rows && { rows: rows.rows, ids: rows.ids }),
})

/** Rules that nobody asks for any more are dropped, and the others for which they make room come after. */
function oldRules(wanted: WantedTable, found: FoundTable): Difference[] {
  const table = quote(wanted.name)
  const gone = Object.keys(found.rules).filter(name => /^[cf]_/.test(name) && !wanted.rules[name])
  const made = gone.map(
    (name): Difference => ({
      class: 'safe',
      table: wanted.name,
      name,
      says: 'rule of before',
      sql: [`ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}`],
    }),
  )
  for (const [name, column] of Object.entries(found.columns)) {
    if (!column.required) continue
    const one = wanted.columns[afterRenames(wanted, found).renames.find(([from]) => from === name)?.[1] ?? name]
    // Nobody gives a value to a column that no field is kept in.
    if (one ? one.required : column.preset !== null) continue
    made.push({
      class: 'safe',
      table: wanted.name,
      name,
      says: 'no longer required',
      sql: [`ALTER TABLE ${table} ALTER COLUMN ${quote(name)} DROP NOT NULL`],
    })
  }
  return made
}

async function planColumns(planning: Planning, wanted: WantedTable, found: FoundTable): Promise<Difference[]> {
  const { columns, renames } = afterRenames(wanted, found)
  const table = quote(wanted.name)
  const made = renames.map(
    ([from, to]): Difference => ({
      class: 'safe',
      table: wanted.name,
      name: to,
      says: `renamed from ${from}`,
      sql: [`ALTER TABLE ${table} RENAME COLUMN ${quote(from)} TO ${quote(to)}`],
    }),
  )
  const added = Object.keys(wanted.columns).filter(name => !columns[name])
  made.push(...(await unsaidRenames(planning, wanted, columns, added)))
  for (const [name, column] of Object.entries(wanted.columns)) {
    const one = columns[name]
    const at = renames.find(([, to]) => to === name)?.[0] ?? name
    if (!one) {
      const sql = [`ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${typeSql(column)}`]
      made.push({ class: 'safe', table: wanted.name, name, says: 'new column', sql })
      continue
    }
    if (one.type !== column.type) made.push(...(await planType(planning, wanted, { name, at, column, type: one.type })))
    if (bare(one.preset) !== bare(column.preset)) {
      const to = column.preset === null ? 'DROP DEFAULT' : `SET DEFAULT ${column.preset}`
      made.push({
        class: 'safe',
        table: wanted.name,
        name,
        says: column.preset === null ? 'no longer has a default' : `has the default ${column.preset}`,
        sql: [`ALTER TABLE ${table} ALTER COLUMN ${quote(name)} ${to}`],
      })
    }
  }
  return made
}

/** Columns that hold values and belong to no field: one of them may be what a new field was called before. */
async function unsaidRenames(
  { on }: Planning,
  wanted: WantedTable,
  columns: FoundTable['columns'],
  added: readonly string[],
): Promise<Difference[]> {
  const lost = Object.keys(columns).filter(name => !wanted.columns[name] && !wanted.retired.includes(name))
  const made: Difference[] = []
  for (const name of lost) {
    const rows = await rowsWhere(on, wanted.name, `t.${quote(name)} IS NOT NULL`)
    if (rows.rows === 0) continue
    const isOfKind = (other: string) => kindOf(wanted.columns[other]!.type) === kindOf(columns[name]!.type)
    const candidates = added.filter(isOfKind)
    const holds = `holds values in ${countOf(rows.rows)} and no field is kept in it`
    if (candidates.length === 0) {
      made.push({ class: 'left', table: wanted.name, name, says: holds, sql: [], ...rows })
      continue
    }
    const fields = candidates.map(other => `«${other}»`).join(' or ')
    const says = `${holds}, while ${fields} is new. If it was renamed, say renamed: '${name}' at the new field; if it is another field, say retired: ['${name}'] at the entity, or drop the column in a numbered migration.`
    made.push(refused(wanted.name, name, says, rows))
  }
  return made
}

const kindOf = (type: string): string => (/^(character varying|text)/.test(type) ? 'text' : type.replace(/\(.*$/, ''))

const widthOf = (type: string): number =>
  type === 'text' ? Number.POSITIVE_INFINITY : Number(/^character varying\((\d+)\)$/.exec(type)?.[1] ?? Number.NaN)

/** Whether a column of one type takes, as it is, whatever one of another type held. */
export const isWider = (from: string, to: string): boolean => widthOf(to) >= widthOf(from)

/** A text that is the id of a row. */
const idPattern = '^([1-9][0-9]{0,17}|[1-8][0-9]{18})$'

/** A column whose type is another one. */
interface Change {
  name: string
  /** The column's name at present. */
  at: string
  column: WantedColumn
  /** Its type at present. */
  type: string
}

async function planType(
  planning: Planning,
  wanted: WantedTable,
  { name, at, column, type }: Change,
): Promise<Difference[]> {
  const { on } = planning
  const [table, own, now] = [quote(wanted.name), quote(name), `t.${quote(at)}`]
  const change = (says: string, using = ''): Difference => ({
    class: 'safe',
    table: wanted.name,
    name,
    says,
    sql: [
      `ALTER TABLE ${table} ALTER COLUMN ${own} DROP DEFAULT, ALTER COLUMN ${own} TYPE ${column.type}${using}${
        column.preset === null ? '' : `, ALTER COLUMN ${own} SET DEFAULT ${column.preset}`
      }`,
    ],
  })
  if (isWider(type, column.type)) return [change(`wider: ${type} becomes ${column.type}`)]
  const says = `${type} becomes ${column.type}`
  const to = widthOf(column.type)
  if (to < widthOf(type)) {
    const over = await rowsWhere(on, wanted.name, `char_length(${now}) > ${to}`)
    if (over.rows > 0)
      return [
        refused(
          wanted.name,
          name,
          `${says}, and ${where(over)} hold longer texts. Shorten them in a numbered migration, or keep the length.`,
          over,
        ),
      ]
    // Every row is written again while nobody reads: on a table of this size that is for a quiet hour.
    if (isBig(planning, planning.found.tables[wanted.name]))
      return [
        refused(
          wanted.name,
          name,
          `${says}: all rows of this big table would be written anew. Do it in a numbered migration, or keep the length.`,
        ),
      ]
    return [change(`shorter: ${says}`)]
  }
  const isText = kindOf(type) === 'text'
  const held = await rowsWhere(
    on,
    wanted.name,
    isText && column.type === 'bigint' ? `${now} <> '' AND ${now} !~ '${idPattern}'` : `${now} IS NOT NULL`,
  )
  if (held.rows > 0)
    return [
      refused(
        wanted.name,
        name,
        `${says}, and ${where(held)} hold values that cannot become that. Add a new field, fill it in a numbered migration, and drop this one afterwards.`,
        held,
      ),
    ]
  const using = isText && column.type === 'bigint' ? `nullif(${own}, '')::bigint` : `NULL::${column.type}`
  return [change(says, ` USING ${using}`)]
}

/** The columns and the condition of a unique index, from the statement that makes it. */
const uniqueParts = (statement: string) => /^CREATE UNIQUE INDEX .*? ON .*? \((.*?)\)(?: WHERE (.*))?$/.exec(statement)

async function duplicatesOf(on: Queryable, table: string, statement: string): Promise<Rows | undefined> {
  const parts = uniqueParts(statement)
  if (!parts) return undefined
  const [, list = '', condition = 'true'] = parts
  const { rows } = await on.query<{ n: number; ids: string[] | null }>(
    `SELECT coalesce(sum(g.n), 0)::int AS n, (array_agg(g.id ORDER BY g.id))[1:${named}] AS ids FROM (
       SELECT count(*) AS n, min(id)::text || '=' || max(id)::text AS id FROM ${quote(table)}
       WHERE ${condition} AND (${list}) IS NOT NULL GROUP BY ${list} HAVING count(*) > 1) g`,
  )
  return { rows: rows[0]?.n ?? 0, ids: rows[0]?.ids ?? [] }
}

async function planIndexes(
  planning: Planning,
  wanted: WantedTable,
  found: FoundTable,
  indexes: Readonly<Record<string, string>>,
): Promise<Difference[]> {
  const isSlow = isBig(planning, found)
  const besides = isSlow ? 'CONCURRENTLY ' : ''
  const gone = Object.keys(found.indexes).filter(
    name => /^[ui]_/.test(name) && !(name in indexes) && !found.held.includes(name),
  )
  const dropped = gone.map(
    (name): Difference => ({
      class: isSlow ? 'slow' : 'safe',
      table: wanted.name,
      name,
      says: 'index of before',
      sql: [`DROP INDEX ${besides}${quote(name)}`],
    }),
  )
  const made: Difference[] = []
  for (const [name, statement] of Object.entries(indexes)) {
    const state = found.indexes[name]
    if (state) continue
    const isThere = presentColumns(wanted, found)
    const doubled = isThere(statement) ? await duplicatesOf(planning.on, wanted.name, statement) : undefined
    if (doubled && doubled.rows > 0) {
      const columns = uniqueParts(statement)?.[1]
      const says = `must be unique in (${columns}), and ${countOf(doubled.rows)} share values (id ${doubled.ids.join('; ')}). Make them different in a numbered migration, or take the rule back.`
      made.push(refused(wanted.name, name, says, doubled))
      continue
    }
    const drop = state === false ? [`DROP INDEX ${besides}${quote(name)}`] : []
    const sql = [...drop, isSlow ? statement.replace(/ INDEX /, ' INDEX CONCURRENTLY ') : statement]
    made.push({ class: isSlow ? 'slow' : 'safe', table: wanted.name, name, says: 'new index', sql })
  }
  // Lists of a big table have their old index until the new one is there.
  return isSlow ? [...made, ...dropped] : [...dropped, ...made]
}

/** Whether all columns that a statement names are there under these names. */
const presentColumns = (wanted: WantedTable, found: FoundTable) => (statement: string) =>
  Object.keys(wanted.columns).every(name => found.columns[name] || !statement.includes(quote(name)))

/** What {@link planRules} needs to know of the installation. */
export interface Tolerance {
  /** Names of the migrations that have run: what breaks a rule that came with another one was there before it. */
  readonly files: ReadonlySet<string>
  /** Rules that are known to be broken by rows of before, as `table.column` or by name. */
  readonly open: ReadonlySet<string>
}

/** Whether rows that break a rule do not stop a start. */
const isTolerated = ({ files, open }: Tolerance, name: string, since: string): boolean =>
  !files.has(since) || open.has(name)

/** The name under which a required column is known to be open. */
export const requiredName = (table: string, column: string): string => `${table}.${column}`

/** Differences of what the rows of each table must keep: values that are required, CHECKs, foreign keys. */
export async function planRules(planning: Planning, tolerance: Tolerance): Promise<Difference[]> {
  const made: Difference[] = []
  for (const wanted of planning.tables) {
    const found = planning.found.tables[wanted.name]
    if (!found) made.push(...rulesOfNew(wanted))
    else
      made.push(
        ...(await planRequired(planning, tolerance, wanted, found)),
        ...(await planTableRules(planning, tolerance, wanted, found)),
      )
  }
  return made
}

const addition = (name: string, { sql }: WantedRule): string => `ADD CONSTRAINT ${quote(name)} ${sql}`

/** A plan names tables that are not there yet as well. */
function rulesOfNew({ name: table, rules }: WantedTable): Difference[] {
  const all = Object.entries(rules)
  if (all.length === 0) return []
  const sql = [`ALTER TABLE ${quote(table)} ${all.map(([name, rule]) => addition(name, rule)).join(',\n  ')}`]
  return [{ class: 'safe', table, name: null, says: `${all.length} rules`, sql }]
}

async function planRequired(
  planning: Planning,
  tolerance: Tolerance,
  wanted: WantedTable,
  found: FoundTable,
): Promise<Difference[]> {
  const missing = Object.entries(wanted.columns).flatMap(([name, { required, preset }]) => {
    const at = presentName(wanted, found, name)
    if (!required || (at ? found.columns[at]?.required : preset !== null)) return []
    return [{ name, lacks: at ? `t.${quote(at)} IS NULL` : 'true' }]
  })
  const made: Difference[] = []
  const table = quote(wanted.name)
  const ready: string[] = []
  const conditions = missing.map(({ lacks }) => lacks)
  const met = await areMet(planning.on, wanted.name, conditions)
  for (const [at, { name, lacks }] of missing.entries()) {
    if (!met[at]) {
      ready.push(name)
      continue
    }
    const lack = await rowsWhere(planning.on, wanted.name, lacks)
    const isOpen = isTolerated(tolerance, requiredName(wanted.name, name), firstRules)
    const says = `is required, and ${where(lack)} ${lack.rows === 1 ? 'has' : 'have'} no value.`
    if (isOpen) made.push({ class: 'open', table: wanted.name, name, says, sql: [], ...lack })
    else
      made.push(
        refused(
          wanted.name,
          name,
          `${says} Give the field a default, fill the rows in a numbered migration, or say optional(…).`,
          lack,
        ),
      )
  }
  if (ready.length === 0) return made
  if (!isBig(planning, found)) {
    const sql = [`ALTER TABLE ${table} ${ready.map(name => `ALTER COLUMN ${quote(name)} SET NOT NULL`).join(', ')}`]
    return [...made, { class: 'safe', table: wanted.name, name: ready.join(', '), says: 'required', sql }]
  }
  // A CHECK that is known to hold spares the look at every row under the lock that SET NOT NULL takes.
  const slow = ready.map((name): Difference => {
    const check = quote(`n_${name}`)
    const sql = [
      `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${check}`,
      `ALTER TABLE ${table} ADD CONSTRAINT ${check} CHECK (${quote(name)} IS NOT NULL) NOT VALID`,
      `ALTER TABLE ${table} VALIDATE CONSTRAINT ${check}`,
      `ALTER TABLE ${table} ALTER COLUMN ${quote(name)} SET NOT NULL`,
      `ALTER TABLE ${table} DROP CONSTRAINT ${check}`,
    ]
    return { class: 'slow', table: wanted.name, name, says: 'required', sql }
  })
  return [...made, ...slow]
}

/** Whether the index that a key needs is still to be built. */
function waits(planning: Planning, { index }: WantedRule): boolean {
  const target = index && planning.tables.find(({ indexes }) => indexes[index])
  if (!target) return false
  const found = planning.found.tables[target.name]
  return !found?.indexes[index] && isBig(planning, found)
}

/** The condition of rows that break a rule, on the columns as they are called at present. */
function brokenNow(wanted: WantedTable, found: FoundTable, { column, others = [], broken }: WantedRule): string {
  let condition = broken
  for (const name of [column, ...others]) {
    const at = presentName(wanted, found, name)
    // A column that is not there yet, or not of its kind yet, is looked at when it is.
    if (!at || kindOf(found.columns[at]!.type) !== kindOf(wanted.columns[name]!.type)) return 'false'
    condition = condition.replaceAll(`{${name}}`, quote(at))
  }
  return condition
}

/** Ids in texts that lead to no row. As with foreign keys a removed row is still one. Nothing is done about them but to tell. */
export async function planLists({ on, tables, found }: Planning): Promise<Difference[]> {
  const made: Difference[] = []
  for (const { name, lists } of tables)
    for (const [column, { table, isWithinTenant }] of Object.entries(lists)) {
      if (!found.tables[name]?.columns[column] || !found.tables[table]) continue
      const tenant = isWithinTenant ? ' AND p."tenantId" = t."tenantId"' : ''
      const lost = await rowsWhere(
        on,
        name,
        `EXISTS (SELECT FROM unnest(string_to_array(t.${quote(column)}, ',')) AS one
          WHERE one <> '' AND NOT EXISTS (SELECT FROM ${quote(table)} p
            WHERE p.id = CASE WHEN one ~ '${idPattern}' THEN one::bigint END${tenant}))`,
      )
      if (lost.rows === 0) continue
      const says = `${where(lost)} ${lost.rows === 1 ? 'names' : 'name'} rows of ${table} that are not there`
      made.push({ class: 'left', table: name, name: column, says, sql: [], ...lost })
    }
  return made
}

async function planTableRules(
  planning: Planning,
  tolerance: Tolerance,
  wanted: WantedTable,
  found: FoundTable,
): Promise<Difference[]> {
  const table = quote(wanted.name)
  const made: Difference[] = []
  const ready: [string, WantedRule][] = []
  const missing = Object.entries(wanted.rules).filter(([name]) => !found.rules[name])
  const conditions = missing.map(([, rule]) => brokenNow(wanted, found, rule))
  const met = await areMet(planning.on, wanted.name, conditions)
  for (const [place, [name, rule]] of missing.entries()) {
    const state = found.rules[name]
    const broken = met[place] ? await rowsWhere(planning.on, wanted.name, conditions[place]!) : { rows: 0, ids: [] }
    const validate = `ALTER TABLE ${table} VALIDATE CONSTRAINT ${quote(name)}`
    if (broken.rows > 0) {
      const says = `${where(broken)} ${rule.says} (${name}).`
      const isOpen = isTolerated(tolerance, name, rule.since)
      // A CHECK that rows of before break would refuse every change of them; a key is asked again only when it changes itself.
      const sql =
        rule.kind === 'key' && state === undefined ? [`ALTER TABLE ${table} ${addition(name, rule)} NOT VALID`] : []
      if (isOpen)
        made.push({ class: 'open', table: wanted.name, name, says: `${rule.column}: ${says}`, sql, ...broken })
      else
        made.push(
          refused(
            wanted.name,
            rule.column,
            `${says} Change them in a numbered migration, or take the rule back.`,
            broken,
          ),
        )
    } else if (state === false || isBig(planning, found) || waits(planning, rule)) {
      const add = state === undefined ? [`ALTER TABLE ${table} ${addition(name, rule)} NOT VALID`] : []
      made.push({ class: 'slow', table: wanted.name, name, says: 'new rule', sql: [...add, validate] })
    } else ready.push([name, rule])
  }
  if (ready.length === 0) return made
  const sql = [`ALTER TABLE ${table} ${ready.map(([name, rule]) => addition(name, rule)).join(',\n  ')}`]
  const names = ready.map(([name]) => name).join(', ')
  return [...made, { class: 'safe', table: wanted.name, name: names, says: 'new rules', sql }]
}
