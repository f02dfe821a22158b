import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type Entity, type Field, idCardCheck, type Kind, maskSealed, matches, type Row, tableOf } from '#engine'
import { entities } from '#schemas'

/** Values of some fields of a row, as code has them: sealed fields in clear, references as ids. */
export type Overrides<E extends Entity> = Partial<Row<E>>

let counter = 0

/** A valid mainland mobile number, another one for each `n`. */
export const samplePhone = (n: number): string => `139${String(n).padStart(8, '0')}`

/** A valid national ID number of an adult, another one for each `n` below 30,000,000. */
export function sampleIdCard(n: number): string {
  const day = new Date(Date.UTC(1980, 0, 1 + (Math.floor(n / 999) % 7000)))
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '')
  const first17 = `350${String(102 + 0)}${day}${String((n % 999) + 1).padStart(3, '0')}`
  return first17 + idCardCheck(first17)
}

const textOf = (field: Field, n: number): string => {
  if (field.format === 'idCard') return sampleIdCard(n)
  if (field.format === 'phone') return samplePhone(n)
  if (field.format === 'email') return `sample${n}@example.org`
  if (field.format === 'uri') return `https://example.org/${n}`
  if (field.enum) return String(field.enum[0])
  const whole = `${field.title}${n}`
  const text = field.pattern && !new RegExp(field.pattern).test(whole) ? String(n) : whole
  return text.length > (field.maxLength ?? text.length) ? text.slice(-(field.maxLength ?? 0)) : text
}

const first = (field: Field): unknown => field.default ?? field.enum?.[0] ?? (field.type === 'integer' ? 1 : '1')
const whole = (field: Field): number => Number(field.default ?? field.minimum ?? 1)

const values: Record<Kind, (field: Field, n: number) => unknown> = {
  text: textOf,
  longText: textOf,
  sealed: textOf,
  secret: textOf,
  richText: field => `<p>${field.title}</p>`,
  integer: whole,
  money: whole,
  decimal: field => String(field.minimum ?? 1),
  flag: first,
  dict: first,
  dicts: first,
  state: first,
  date: () => '2026-01-01',
  dateTime: () => new Date('2026-01-01T00:00:00+08:00'),
  ref: () => '1',
  refs: () => '1',
  image: () => '1',
  file: () => '1',
  region: () => '350102',
  json: ({ of }) => (of && 'shape' in of && of.shape === 'list' ? [] : {}),
}

/**
 * A valid row of an entity: every field that must have a value, also because of others, has one that its schema accepts; texts differ from call to call.
 * Name only what your test is about.
 */
export function sample<E extends Entity>(entity: E, overrides: Overrides<E> = {}): Row<E> {
  const n = ++counter
  const { properties, requiredWhen } = entity as Entity
  const valuesOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap(name => {
        const field = properties[name]
        return field ? [[name, values[field.kind](field, n)]] : []
      }),
    )
  const row = { ...valuesOf(Object.keys(properties).filter(name => !properties[name]?.optional)), ...overrides }
  const asked = Object.keys(requiredWhen).filter(name => !(name in row) && matches(row, requiredWhen[name]))
  return { ...valuesOf(asked), ...row } as Row<E>
}

/**
 * Puts a {@link sample} into the database, sealing what is to be sealed, and answers the row as it stands there. With
 * `referencesLater` the rows that it refers to are added by the test afterwards.
 */
export async function insert<E extends Entity>(
  app: Pick<FastifyInstance, 'pool' | 'vault'>,
  entity: E,
  overrides: Overrides<E> = {},
  { referencesLater = false } = {},
): Promise<Row<E>> {
  const row: Record<string, unknown> = { ...sample(entity, overrides) }
  for (const [name, field] of Object.entries(entity.properties)) {
    const value = row[name]
    if (field.kind === 'json' && value !== undefined) row[name] = JSON.stringify(value)
    if (field.kind !== 'sealed' || typeof value !== 'string') continue
    row[name] = app.vault.seal(value)
    row[`${name}Mask`] = maskSealed(value)
    row[`${name}Hash`] = app.vault.hash(String(row.tenantId ?? '000000'), value)
  }
  const names = Object.keys(row)
  const columns = names.map(name => `"${name}"`).join(', ')
  const places = names.map((_, i) => `$${i + 1}`).join(', ')
  const statement = `INSERT INTO "${tableOf(entity.name)}" (${columns}) VALUES (${places}) RETURNING *`
  try {
    return (await app.pool.query(statement, Object.values(row))).rows[0] as Row<E>
  } catch (error) {
    if ((error as { code?: string }).code !== '23503') throw error
  }
  if (!referencesLater) await addReferences(app.pool, entity, row, overrides)
  return (await insertUnchecked(app.pool, entity, row)) as Row<E>
}

const targetOf = ({ kind, ref }: Field): string | undefined =>
  kind === 'ref' ? ref : kind === 'image' || kind === 'file' ? 'attach' : undefined

/**
 * Adds the rows that a row refers to and that its test does not care about, as removed ones: no list shows them, and no
 * count knows them.
 */
async function addReferences(
  pool: pg.Pool,
  entity: Entity,
  row: Record<string, unknown>,
  overrides: Readonly<Record<string, unknown>>,
): Promise<void> {
  const tenantId = String(row.tenantId ?? '000000')
  for (const [name, field] of Object.entries(entity.properties)) {
    const target = (entities as readonly Entity[]).find(one => one.name === targetOf(field))
    if (!target || row[name] === null || row[name] === undefined) continue
    const table = `"${tableOf(target.name)}"`
    const there = await pool.query<{ tenantId: string }>(`SELECT "tenantId" FROM ${table} WHERE id = $1`, [row[name]])
    const at = there.rows[0]?.tenantId
    if (at === tenantId || (at && (!target.tenant || target.name === 'user' || name in overrides))) continue
    const placeholder = { ...sample(target), tenantId, isDeleted: 1, createDept: '-9' }
    if (!at) await insertUnchecked(pool, target, { ...placeholder, id: row[name] })
    else {
      const known = await pool.query<{ id: string }>(
        `SELECT id FROM ${table} WHERE "tenantId" = $1 AND "createDept" = -9`,
        [tenantId],
      )
      row[name] = known.rows[0]?.id ?? (await insertUnchecked(pool, target, placeholder)).id
    }
  }
}

/** Counts the places of all exams anew, for sign-ups that were changed past the triggers. */
export const recountedPlaces = 'DELETE FROM place_count; INSERT INTO place_count SELECT * FROM place_rows(NULL)'

/** Has lists count by themselves, because rows were written past the triggers that keep the totals of whole lists. */
export const uncounted = 'DELETE FROM counted_table'

/** Adds a row whatever it refers to, as one that was there before the keys were; statement triggers hear of it. */
async function insertUnchecked(
  pool: pg.Pool,
  { name, properties }: Entity,
  row: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const cells = Object.entries(row).map(([column, value]) => [
    column,
    properties[column]?.kind === 'json' && value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
  ])
  const columns = cells.map(([column]) => `"${column}"`).join(', ')
  const table = `"${tableOf(name)}"`
  const client = await pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    const { rows } = await client.query(
      `INSERT INTO ${table} (${columns}) VALUES (${cells.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING *`,
      cells.map(([, value]) => value),
    )
    if (name === 'signup') await client.query(recountedPlaces)
    await client.query(
      `SET LOCAL session_replication_role = origin; UPDATE ${table} SET id = id WHERE false; DELETE FROM ${table} WHERE false; ${uncounted}; COMMIT`,
    )
    return rows[0]
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}
