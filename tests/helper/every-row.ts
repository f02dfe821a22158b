import type { FastifyInstance } from 'fastify'
import { type Entity, type Field, tableOf } from '#engine'
import { entities } from '#schemas'
import { insert, recountedPlaces, uncounted } from './sample.ts'

/** The ids of one row of every entity, by the entity's name. */
export type EveryRow = Readonly<Record<string, string>>

/** What a set of rows is like. */
export interface RowSet {
  tenantId: string
  /** Tells sets apart: 0 to 8. Ids begin with 7 and this digit, as no id of the product does. */
  set: number
  /** Stands in every text that has room for it. */
  mark?: string
  /** Rows of another set that this one's references point at; only entities that are not here get a row. */
  shared?: EveryRow
  /** Values of some entities' rows by field. */
  rows?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const all: readonly Entity[] = entities
const tables = all.filter(({ tenant }) => tenant).map(({ name }) => tableOf(name))

/** What a field points at: the entity of a reference, or an upload. */
export const targetOf = (field: Field | undefined): string | undefined =>
  field?.ref ?? (field?.kind === 'image' || field?.kind === 'file' ? 'attach' : undefined)

const idOf = (set: number, place: number): string => `7${set}00000000000000${String(place + 1).padStart(3, '0')}`

function cellOf(name: string, field: Field, ids: EveryRow, { mark = '' }: RowSet): Record<string, unknown> {
  const target = targetOf(field)
  if (target) return { [name]: ids[target] }
  const isFree = ['text', 'longText'].includes(field.kind) && !field.pattern && !field.format && !field.enum
  const room = field.maxLength ?? Number.POSITIVE_INFINITY
  return isFree && mark && mark.length + name.length <= room ? { [name]: `${mark}${name}` } : {}
}

/** Every field that can has a value, so that a row gives away whatever it can; no row is its own parent. */
function valuesOf(entity: Entity, ids: EveryRow, made: RowSet): Record<string, unknown> {
  const fields = Object.entries(entity.properties).filter(([, field]) => field.ref !== entity.name)
  const values = fields.map(([name, field]) => cellOf(name, field, ids, made))
  // Entries of the audit log are numbered, and the server goes on counting from its own last one.
  const number = entity.name === 'auditlog' ? { seq: 900_000_000 + made.set } : {}
  const base = { tenantId: made.tenantId, id: ids[entity.name] }
  return Object.assign(base, ...values, number, made.rows?.[entity.name])
}

/**
 * Puts one valid row of every entity of a tenant into the database; their references point at each other. Entities of the
 * whole installation get none.
 */
export async function everyRow(app: Pick<FastifyInstance, 'pool' | 'vault'>, made: RowSet): Promise<EveryRow> {
  const own = all.flatMap(({ name, tenant }, place) => (tenant ? [[name, idOf(made.set, place)]] : []))
  const ids: EveryRow = { ...Object.fromEntries(own), ...made.shared }
  const wanted = all.filter(({ name, tenant }) => tenant && !made.shared?.[name])
  for (const entity of wanted)
    await insert(app, entity, valuesOf(entity, ids, made) as never, { referencesLater: true })
  return ids
}

/** Entities whose rows tell about one candidate. */
const personal = [
  'signup',
  'signuplog',
  'examinelog',
  'postreductionname',
  'payrecord',
  'payorder',
  'payrefund',
  'examinationticket',
  'ticketnotice',
  'result',
  'resultappeal',
  'resultlog',
  'userupdateinfo',
  'datarequest',
  'attach',
  'noticeread',
  'notifyread',
  'sendmessage',
]

/** What candidates of one exam have in common: a set without the rows that tell about one of them. */
export const withoutPersonal = (rows: EveryRow): EveryRow =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => !personal.includes(name)))

/** Tables of what people and programs work on; what was done is noted in the others. */
const kept = tables.filter(name => !/^(auditlog|log_)/.test(name))

/** How often each table has been written to, by its name. */
export async function changeCounts({ pool }: Pick<FastifyInstance, 'pool'>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ table: string; count: string }>(
    'SELECT "table", sum(count)::text AS count FROM change_count WHERE "table" = ANY($1) GROUP BY 1',
    [kept],
  )
  return new Map(rows.map(row => [row.table, row.count]))
}

/**
 * Keeps the rows of some sets; what it answers makes them again what they are now. Logs stay as they are.
 */
export async function keepRows(
  { pool }: Pick<FastifyInstance, 'pool'>,
  sets: readonly number[],
): Promise<() => Promise<void>> {
  const mine = `id::text ~ '^7[${sets.join('')}]0000000'`
  await pool.query('CREATE SCHEMA kept')
  for (const name of kept) await pool.query(`CREATE TABLE kept."${name}" AS SELECT * FROM "${name}" WHERE ${mine}`)
  let known = await changeCounts({ pool })
  return async () => {
    const now = await changeCounts({ pool })
    const changed = [...now.keys()].filter(name => now.get(name) !== known.get(name))
    const texts = changed.map(
      name => `DELETE FROM "${name}" WHERE ${mine}; INSERT INTO "${name}" SELECT * FROM kept."${name}"`,
    )
    if (texts.length === 0) return
    // Rows refer to each other across the tables; the triggers that count changes hear of it afterwards.
    const heard = changed.map(name => `DELETE FROM "${name}" WHERE false`)
    const unchecked = [
      'SET session_replication_role = replica',
      ...texts,
      recountedPlaces,
      uncounted,
      'RESET session_replication_role',
    ]
    await pool.query([...unchecked, ...heard].join('; '))
    known = await changeCounts({ pool })
  }
}

/** A digest of the rows of a set, table by table. */
export async function digestOf({ pool }: Pick<FastifyInstance, 'pool'>, set: number): Promise<Record<string, string>> {
  const digests = tables.map(
    name =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, E'\\n' ORDER BY id), '')) AS digest FROM "${name}" t
       WHERE id::text LIKE '7${set}0000000%'`,
  )
  const { rows } = await pool.query<{ name: string; digest: string }>(digests.join(' UNION ALL '))
  return Object.fromEntries(rows.map(row => [row.name, row.digest]))
}
