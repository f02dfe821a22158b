import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import type { Entity, Facts, Field, Keep } from '#engine'
import { domainEvents } from '#resources/events'
import type { ErasedRows } from '../../../platform/audit/server/audit-chain.ts'
import type { Database, Trx } from '../../../platform/database/database.ts'
import { cutActs, namedActs } from '../../review/server/log-chain.ts'
import { column, tableFor } from './kinds.ts'

/** What stands where a name or number was. */
export const erasedText = '已清除'
/** What stands where a date was that cannot be left out. */
const erasedDate = '1900-01-01'

const telling: readonly Field['kind'][] = ['sealed', 'image', 'file']

/** Names of the fields of an entity that tell whom a row is about, and of which the definition says this. */
function tellingFields(entity: Entity, what: Keep['then']): readonly string[] {
  return Object.entries(entity.properties).flatMap(([name, field]) => {
    const isTelling = telling.includes(field.kind) || entity.personal.includes(name)
    // A picture that a row must have stays with it.
    const isFixed = (field.kind === 'image' || field.kind === 'file') && !field.optional
    const then = field.keep?.then ?? entity.keep?.then
    return isTelling && !isFixed && then === what ? [name] : []
  })
}

/** Names of the fields of an entity that go when the time is over for which they are kept. */
export const blankedFields = (entity: Entity): readonly string[] => tellingFields(entity, 'blank')

/** Names of the fields that stay whatever is asked for, because the law says so, and go when its time is over; the row stays. */
export const heldFields = (entity: Entity): readonly string[] => tellingFields(entity, 'stay')

const isList = (of: unknown): boolean => (of as { shape?: string } | undefined)?.shape === 'list'

/** The columns of a field without what was in them. */
function blank(name: string, field: Field, vault: FastifyInstance['vault']): Record<string, unknown> {
  if (field.kind === 'sealed')
    return field.optional
      ? { [name]: null, [`${name}Hash`]: null, [`${name}Mask`]: null }
      : { [name]: vault.seal(erasedText), [`${name}Hash`]: null, [`${name}Mask`]: erasedText }
  if (field.optional) return { [name]: null }
  if (field.kind === 'json') return { [name]: JSON.stringify(isList(field.of) ? [] : {}) }
  if (field.kind === 'date') return { [name]: erasedDate }
  // No other row may have the same text.
  return { [name]: field.unique ? sql`${`${erasedText}-`} || id::text` : erasedText }
}

/** SQL that is true for a row `t` in which one of some fields still holds what is to go. */
export function holds(entity: Entity, names: readonly string[]) {
  // What acts of review held of a form goes as a whole, with its salt.
  if (entity.name === 'examinelog') return sql<boolean>`t."cutBy" IS NULL`
  const parts = names.map(name => {
    const field = entity.properties[name] as Field
    const at = sql.ref(`t.${name}`)
    if (field.optional) return sql`${at} IS NOT NULL`
    if (field.kind === 'sealed') return sql`${sql.ref(`t.${name}Mask`)} IS DISTINCT FROM ${erasedText}`
    if (field.kind === 'json') return sql`${at}::text NOT IN ('{}', '[]')`
    if (field.kind === 'date') return sql`${at} <> ${erasedDate}`
    return field.unique ? sql`${at} <> ${`${erasedText}-`} || t.id::text` : sql`${at} <> ${erasedText}`
  })
  return sql<boolean>`(${sql.join(parts, sql` OR `)})`
}

const holding: readonly Field['kind'][] = ['image', 'file', 'json']

/** What an id of a file looks like; a longer number is no bigint of the database. */
export const fileId = '^([1-9][0-9]{0,17}|[1-8][0-9]{18})$'

/** Ids of the files that some fields of a row name: columns that hold one, and in lists and objects what is called `attachId`. */
function filesIn(entity: Entity, row: Readonly<Record<string, unknown>>): readonly string[] {
  const idsOf = (value: unknown) => (new RegExp(fileId).test(String(value ?? '')) ? [String(value)] : [])
  const inside = (value: unknown): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap(inside)
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, one]) => (name === 'attachId' ? idsOf(one) : inside(one)))
  }
  return Object.entries(row).flatMap(([name, value]) =>
    entity.properties[name]?.kind === 'json' ? inside(value) : idsOf(value),
  )
}

/** Whose data go, and for what: kept in the security log. */
export interface Cause {
  readonly tenantId: string
  readonly userId: string | null
  readonly targetType: string
  readonly targetId: string
}

/** An erasure that is going on, in one transaction. */
export interface Erasure {
  readonly app: Pick<FastifyInstance, 'vault' | 'audit'>
  /** The handle without limits: what was removed is erased, too. */
  readonly trx: Trx
  readonly why: Cause
  readonly now: Date
}

/** Rows that one entry of the security log names. */
export const erasedAtOnce = 500

/**
 * Erases rows of one kind, the one way in which this is done: whole, or some of their fields. What their histories say of these goes along,
 * and the security log names the rows.
 * @param names the fields that go; null for whole rows
 * @param ids at most {@link erasedAtOnce}
 * @returns ids of the files that the rows named
 */
export async function eraseRows(
  erasure: Erasure,
  entity: Entity,
  names: readonly string[] | null,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const { trx } = erasure
  const files = await namedFiles(trx, entity, names ?? Object.keys(entity.properties), ids)
  if (entity.name === 'examinelog' && names) {
    await eraseForms(erasure, ids)
    return files
  }
  if (names === null)
    await trx
      .deleteFrom(tableFor(entity))
      .where('id', 'in', [...ids])
      .execute()
  else await blankRows(erasure, entity, names, ids)
  if (entity.history) await cutHistory(trx, entity, names, ids)
  await named(erasure, { [entity.name]: ids })
  return files
}

const named = ({ app, trx, why }: Erasure, erased: ErasedRows): Promise<number> => app.audit.erase(trx, why, erased)

async function namedFiles(trx: Trx, entity: Entity, names: readonly string[], ids: readonly string[]) {
  const columns = names.filter(name => holding.includes(entity.properties[name]?.kind as Field['kind']))
  if (columns.length === 0) return []
  const rows = await trx
    .selectFrom(tableFor(entity))
    .select(columns.map(column))
    .where('id', 'in', [...ids])
    .execute()
  return [...new Set(rows.flatMap(row => filesIn(entity, row)))]
}

async function blankRows({ app, trx, now }: Erasure, entity: Entity, names: readonly string[], ids: readonly string[]) {
  const set = Object.assign(
    entity.version ? { version: sql`version + 1` } : {},
    { updateTime: now },
    ...names.map(name => blank(name, entity.properties[name] as Field, app.vault)),
  )
  await trx
    .updateTable(tableFor(entity))
    .set(set as never)
    .where('id', 'in', [...ids])
    .execute()
}

/** Acts of review keep their chain: the security log says first what goes. */
async function eraseForms(erasure: Erasure, ids: readonly string[]): Promise<void> {
  const { trx } = erasure
  const rows = await trx
    .selectFrom('examinelog')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('cutBy', 'is', null)
    .execute()
  if (rows.length > 0) await cutActs(trx, rows, await named(erasure, { examinelog: namedActs(rows) }))
}

/** What a history says of fields that have gone. */
async function cutHistory(trx: Trx, entity: Entity, names: readonly string[] | null, ids: readonly string[]) {
  const rows = trx
    .selectFrom('history')
    .select('id')
    .where('entity', '=', entity.name)
    .where('rowId', 'in', [...ids])
  if (names === null) await trx.deleteFrom('history').where('id', 'in', rows).execute()
  else
    await trx
      .updateTable('history')
      .set({ changes: sql`changes - ${[...names]}::text[]` } as never)
      .where('id', 'in', rows)
      .execute()
}

type EventRow = Pick<Selectable<Database['event']>, 'code' | 'facts'>

/** Kinds of facts that somebody has written. */
const written: readonly Field['kind'][] = ['text', 'longText', 'richText', 'sealed']

/** The facts of an event without what somebody has written; null where there is nothing of that kind. */
export function cutFacts({ code, facts }: EventRow): Facts | null {
  const event = domainEvents.get(code)
  const fields = { ...event?.entity.properties, ...event?.data } as Readonly<Record<string, Field>>
  const isWritten = (name: string, value: unknown) =>
    typeof value === 'string' &&
    value !== erasedText &&
    !fields[name]?.unique &&
    !event?.phrases?.[name] &&
    (!fields[name] || written.includes(fields[name].kind))
  const all = Object.entries(facts ?? {})
  if (!all.some(([name, value]) => isWritten(name, value))) return null
  return Object.fromEntries(all.map(([name, value]) => [name, isWritten(name, value) ? erasedText : value])) as Facts
}

/** Takes what somebody has written out of events, rows that {@link cutFacts} gives new facts. */
export async function eraseFacts(
  erasure: Erasure,
  events: readonly (EventRow & { readonly id: string })[],
): Promise<number> {
  const cut = events.flatMap(row => {
    const facts = cutFacts(row)
    return facts ? [{ id: row.id, facts }] : []
  })
  for (const { id, facts } of cut)
    await erasure.trx
      .updateTable('event')
      .set({ facts: JSON.stringify(facts) } as never)
      .where('id', '=', id)
      .execute()
  if (cut.length > 0) await named(erasure, { event: cut.map(one => one.id) })
  return cut.length
}

/** Takes the content of entries of the security log away. */
export async function eraseDetails(erasure: Erasure, seqs: readonly number[]): Promise<void> {
  if (seqs.length > 0) await named(erasure, { auditlog: seqs })
}

/** The `targetType` under which calls about rows of an entity stand in the security log. */
const targetTypes: Readonly<Record<string, string>> = { examine: 'signup' }

/** SQL that is true for an entry `t` of the security log about one of some rows. */
export function isAbout(rows: readonly (readonly [entity: string, ids: ReturnType<typeof sql>])[]) {
  const conditions = rows.flatMap(([entity, ids]) =>
    [entity, ...Object.keys(targetTypes).filter(one => targetTypes[one] === entity)].map(
      type =>
        sql`(t."targetType" = ${type} AND EXISTS (SELECT 1 FROM unnest(string_to_array(t."targetId", ',')) own(id) WHERE own.id IN (${ids})))`,
    ),
  )
  return sql<boolean>`(${sql.join(conditions, sql` OR `)})`
}
