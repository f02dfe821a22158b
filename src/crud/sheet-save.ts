import { sql } from 'kysely'
import { Refusal, refuse } from '../platform/http/server/refusal.ts'
import { checkLinks } from './checks.ts'
import { type Values, wrongInput } from './input.ts'
import { columnsOf, insertion, type NewRow } from './insert.ts'
import { checkOwningRows } from './owning-row.ts'
import { isLimited } from './scope.ts'
import type { BadCell, ReadRow } from './sheet-read.ts'
import { insertValues, isFollowed, newRow } from './store.ts'
import { uniqueRefusal } from './unique.ts'
import type { Write } from './write.ts'

/** Rows written in one go. */
const portion = 500

/**
 * What all the rows point at stays until the transaction ends.
 * @throws input.invalid when something has gone meanwhile
 */
async function holdLinks({ app, trx, resource, person, now }: Write, rows: readonly ReadRow[]): Promise<void> {
  const { entity } = resource
  const names = Object.keys(entity.properties).filter(name => /^refs?$/.test(entity.properties[name]?.kind ?? ''))
  const keys = (name: string) => new Set(rows.flatMap(({ values }) => String(values[name] ?? '').split(',')))
  const all = names.map(name => [name, [...keys(name)].filter(Boolean).join(',') || null])
  const gone = await checkLinks(
    trx,
    { ...entity, properties: unbound(entity.properties) },
    { app, person, now },
    Object.fromEntries(all),
  )
  if (gone.length > 0) throw wrongInput(gone)
}

/** Fields without what ties a reference to a second field: the rows of a file differ in that. */
const unbound = (properties: Write['resource']['entity']['properties']) =>
  Object.fromEntries(Object.entries(properties).map(([name, { within: _, ...field }]) => [name, field]))

/** Rows with the same columns, so that each group is one statement. */
function alike(rows: readonly NewRow[]): (readonly [NewRow, ...NewRow[]])[] {
  const groups = new Map<string, [NewRow, ...NewRow[]]>()
  for (const row of rows) {
    const group = groups.get(columnsOf(row))
    if (group) group.push(row)
    else groups.set(columnsOf(row), [row])
  }
  return [...groups.values()]
}

/** Adds rows that nothing follows: a statement for all that have the same columns. */
async function insertMany(write: Write, rows: readonly ReadRow[]): Promise<void> {
  const { app, trx, table, scope, person, resource } = write
  await checkOwningRows(
    app,
    trx,
    resource,
    rows.map(({ values }) => values),
  )
  const made = await Promise.all(rows.map(({ values }) => newRow(write, values)))
  for (const group of alike(made)) {
    const added = await sql<{ id: string }>`${insertion(group)} RETURNING id`.execute(trx)
    if (!isLimited(person, resource)) continue
    const ids = added.rows.map(({ id }) => id)
    const mine = await sql`SELECT 1 FROM ${table} t WHERE t.id = ANY(${ids}::bigint[]) AND ${scope}`.execute(trx)
    if (mine.rows.length < ids.length) throw refuse('row.notFound')
  }
}

/** Adds rows one after the other, with what follows each: a hook may look at those before it. */
async function insertEach(write: Write, rows: readonly ReadRow[]): Promise<void> {
  for (const { values } of rows) await insertValues(write, values as Values)
}

function badCell({ resource }: Write, { row }: ReadRow, refusal: Refusal): BadCell {
  const [problem] = Array.isArray(refusal.data) ? (refusal.data as { field: string }[]) : []
  return { row, column: resource.entity.properties[problem?.field ?? '']?.title ?? '', msg: refusal.message }
}

/** Adds rows; when one of them is refused, all but the refused ones. */
async function savePart(write: Write, rows: readonly ReadRow[]): Promise<BadCell[]> {
  const [first] = rows
  if (!first) return []
  const insert = isFollowed(write.app, write.resource) ? insertEach : insertMany
  await sql`SAVEPOINT import_part`.execute(write.trx)
  try {
    await insert(write, rows)
    await sql`RELEASE SAVEPOINT import_part`.execute(write.trx)
    return []
  } catch (error) {
    const refusal = error instanceof Refusal ? error : uniqueRefusal(error, write.resource.entity)
    if (!refusal) throw error
    await sql`ROLLBACK TO SAVEPOINT import_part`.execute(write.trx)
    await sql`RELEASE SAVEPOINT import_part`.execute(write.trx)
    if (rows.length === 1) return [badCell(write, first, refusal)]
  }
  const half = rows.length >> 1
  return [...(await savePart(write, rows.slice(0, half))), ...(await savePart(write, rows.slice(half)))]
}

/**
 * Adds the checked rows of a sheet.
 * @param wrong rows of the sheet that are wrong already; null when the others are to be added all the same
 * @returns what the database or a hook refused nevertheless
 */
export async function saveRows(write: Write, rows: readonly ReadRow[], wrong: number | null): Promise<BadCell[]> {
  const { trx } = write
  // Nothing will stay, and nobody is asked who could refuse more.
  if (wrong && !isFollowed(write.app, write.resource)) return []
  const errors: BadCell[] = []
  await holdLinks(write, rows)
  await sql`SAVEPOINT import_all`.execute(trx)
  for (let at = 0; at < rows.length; at += portion)
    errors.push(...(await savePart(write, rows.slice(at, at + portion))))
  if (wrong !== null && wrong + errors.length > 0) await sql`ROLLBACK TO SAVEPOINT import_all`.execute(trx)
  return errors
}
