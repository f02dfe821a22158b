import { sql } from 'kysely'
import { type Entity, matches, tableOf, type UniqueRule } from '#engine'
import { conditionSql } from './condition.ts'
import { ident, join } from './fragment.ts'
import { rowsText } from './insert.ts'
import type { BadCell, ReadRow } from './sheet-read.ts'
import { takenRefusal } from './unique.ts'
import type { Write } from './write.ts'

/** Every unique rule of an entity, those of single fields among them. */
const rulesOf = ({ properties, uniques }: Entity): readonly UniqueRule[] => [
  ...Object.keys(properties).flatMap(name => (properties[name]?.unique ? [{ fields: [name] }] : [])),
  ...uniques,
]

const presets = ({ properties }: Entity) =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default ?? null]))

/** Rows that a rule counts: those with a value in each of its fields, and meeting its condition. */
function countedRows(entity: Entity, { fields, where }: UniqueRule, rows: readonly ReadRow[]): readonly ReadRow[] {
  const preset = presets(entity)
  return rows.filter(({ values }) => {
    const isWhole = fields.every(name => values[name] !== undefined && values[name] !== null)
    return isWhole && matches({ ...preset, ...values }, where)
  })
}

const titleOf = ({ properties }: Entity, name: string | undefined): string => properties[name ?? '']?.title ?? ''

/** Rows of the file that repeat what must be unique, each with the row it repeats. */
export function repeated(entity: Entity, rows: readonly ReadRow[]): BadCell[] {
  return rulesOf(entity).flatMap(rule => {
    const column = rule.fields.map(name => titleOf(entity, name)).join('、')
    const seen = new Map<string, number>()
    return countedRows(entity, rule, rows).flatMap(({ row, values }) => {
      const key = JSON.stringify(rule.fields.map(name => values[name]))
      const first = seen.get(key)
      if (first === undefined) seen.set(key, row)
      return first === undefined ? [] : [{ row, column, msg: `与第${first}行重复` }]
    })
  })
}

/** Rows whose unique values the table already holds: one query for each rule. */
export async function taken(write: Write, rows: readonly ReadRow[]): Promise<BadCell[]> {
  const { entity } = write.resource
  const found: BadCell[] = []
  for (const rule of rulesOf(entity)) {
    const counted = countedRows(entity, rule, rows)
    if (counted.length === 0) continue
    const column = titleOf(entity, rule.fields.at(-1))
    const { message } = takenRefusal(entity, rule.fields)
    for (const place of await placesTaken(write, rule, counted))
      found.push({ row: counted[place]?.row ?? 0, column, msg: message })
  }
  return found
}

/** Which of some rows meet one in the table, by their places. */
async function placesTaken(write: Write, rule: UniqueRule, rows: readonly ReadRow[]): Promise<number[]> {
  const { resource, trx, table, person, app } = write
  const { entity } = resource
  const isSealed = (name: string) => entity.properties[name]?.kind === 'sealed'
  const stored = (name: string) => (isSealed(name) ? `${name}Hash` : name)
  const text = rowsText(
    rows.map(({ values }) =>
      rule.fields.map(name => {
        const value = isSealed(name) ? app.vault.hash(person.tenantId, String(values[name])) : values[name]
        return { column: stored(name), value }
      }),
    ),
  )
  const same = rule.fields.map(name => sql.raw(`t.${ident(stored(name))} = n.${ident(stored(name))}`))
  if (entity.tenant) same.push(sql`t."tenantId" = ${person.tenantId}`)
  const found = await sql<{ place: string }>`SELECT n.ordinality AS place
      FROM json_populate_recordset(NULL::${sql.raw(ident(tableOf(entity.name)))}, ${text}::json) WITH ORDINALITY n
      JOIN ${table} t ON ${join(same, ' AND ')} AND t."isDeleted" = 0 AND ${conditionSql(rule.where)}`.execute(trx)
  return found.rows.map(({ place }) => Number(place) - 1)
}
