import { sql } from 'kysely'
import { type Entity, type Field, tableOf } from '#engine'
import { dictionaries } from '#schemas'
import { UserType } from '#schemas/dictionaries'
import { isSame } from '../engine/blank.ts'
import type { Reader } from '../platform/database/database.ts'
import type { Person } from '../platform/http/server/access.ts'
import type { FieldProblem } from '../platform/http/server/validation.ts'
import { all, type Fragment, ident } from './fragment.ts'
import type { Values } from './input.ts'
import { resourceOf } from './lookup.ts'
import { isLimited, scopeOf } from './scope.ts'
import type { Scopes } from './scope-rule.ts'

const bizCodes = new Set(dictionaries.filter(one => one.biz).map(one => one.code))

const sealedKeys = new Map(dictionaries.map(one => [one.code, one.sealed ?? []]))

/** One problem per field that gets a key which its dictionary does not offer; a row that has it keeps it. */
export const notOffered = (entity: Entity, values: Values, before: Values | null): FieldProblem[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const { dict = '', title } = entity.properties[name] ?? {}
    const isSealed = sealedKeys.get(dict)?.includes(String(value)) && !isSame(value, before?.[name])
    return isSealed ? [{ field: name, msg: `${title}取值不正确，请重新选择` }] : []
  })

/** One value that must exist elsewhere. */
interface Link {
  name: string
  title: string
  /** Entity, region or dictionary it points into: `user`, `region`, `dict:recruit_unit`. */
  target: string
  keys: readonly string[]
  /** What the rows pointed at must share with this one. */
  shared?: { field: string; title: string; value: string }
}

const targets: Partial<Record<Field['kind'], (field: Field) => string | null>> = {
  ref: field => field.ref ?? null,
  refs: field => field.ref ?? null,
  image: () => 'attach',
  file: () => 'attach',
  region: () => 'region',
  dict: field => (field.dict && bizCodes.has(field.dict) ? `dict:${field.dict}` : null),
  dicts: field => (field.dict && bizCodes.has(field.dict) ? `dict:${field.dict}` : null),
}

/** References that are not given but tied to a field that gets another value: they must share it, too. */
function tiedTo(entity: Entity, values: Values, before: Values | null): Values {
  const tied = Object.entries(entity.properties).flatMap(([name, { within }]) => {
    const isMoved = within && within in values && !isSame(values[within], before?.[within])
    return isMoved && !(name in values) ? [[name, before?.[name]] as const] : []
  })
  return Object.fromEntries(tied)
}

function linksOf(entity: Entity, given: Values, before: Values | null): Link[] {
  const values = { ...tiedTo(entity, given, before), ...given }
  return Object.entries(values).flatMap(([name, value]) => {
    const field = entity.properties[name]
    const target = field && targets[field.kind]?.(field)
    if (!field || !target || value === null || value === undefined) return []
    const keys = String(value).split(',').filter(Boolean)
    const shared = sharedOf(entity, field, { ...before, ...values })
    return [{ name, title: field.title, target, keys, ...(shared && { shared }) }]
  })
}

function sharedOf(entity: Entity, { within }: Field, values: Values): Link['shared'] {
  const value = within && values[within]
  if (!within || value === null || value === undefined) return undefined
  return { field: within, title: entity.properties[within]?.title ?? within, value: String(value) }
}

/** Who writes a row that points elsewhere, and when. */
export interface Writer {
  readonly app: Scopes
  readonly person: Person
  readonly now: Date
}

/**
 * What limits the rows somebody may refer to: those that the writer may meet, and of files a candidate's own. Whether others
 * exist is not told.
 */
function reach(target: string, { app, person, now }: Writer): Fragment {
  const resource = resourceOf(target)
  const { tenantId, userId, userType } = person
  const tenant = resource.entity.tenant ? sql`t."tenantId" = ${tenantId}` : sql.raw('true')
  if (userType === UserType.candidate)
    return target === 'attach' ? sql`${tenant} AND t."createUser" = ${userId}` : tenant
  return isLimited(person, resource) ? scopeOf(app, person, resource, now) : tenant
}

/**
 * The statement that finds which keys of a target exist; rows found stay until the transaction ends.
 * @param kept keys that the row points at already: they may stay, whoever changes the rest of it
 * @param isPatient false where rows that somebody holds are not waited for, and not found
 */
function finder(
  target: string,
  keys: readonly string[],
  writer: Writer,
  { shared, kept, isPatient = true }: { shared: readonly string[]; kept: readonly string[]; isPatient?: boolean },
): Fragment {
  const { tenantId } = writer.person
  if (target === 'region') return sql`SELECT code AS key FROM region WHERE code = ANY(${keys}) AND "isDeleted" = 0`
  if (target.startsWith('dict:')) {
    const code = target.slice('dict:'.length)
    return sql`SELECT "dictKey" AS key FROM dict_biz WHERE "tenantId" = ${tenantId} AND code = ${code}
      AND "dictKey" = ANY(${keys}) AND "isDeleted" = 0 AND "parentId" IS NOT NULL AND "parentId" <> 0`
  }
  const { tenant } = resourceOf(target).entity
  const stays = sql`t.id = ANY(${kept}::bigint[]) ${tenant ? sql`AND t."tenantId" = ${tenantId}` : sql.raw('')}`
  const met = kept.length > 0 ? sql`((${stays}) OR (${reach(target, writer)}))` : reach(target, writer)
  const more = sql.raw(shared.map(field => `, t.${ident(field)}::text`).join(''))
  return sql`SELECT t.id::text AS key ${more} FROM ${sql.raw(ident(tableOf(target)))} t WHERE t.id = ANY(${keys}::bigint[])
    AND t."isDeleted" = 0 AND ${met} ORDER BY t.id FOR KEY SHARE OF t ${sql.raw(isPatient ? '' : 'SKIP LOCKED')}`
}

/**
 * Looks whether everything that a row points at is there: referenced rows of the same tenant, attachments, regions, keys of
 * business dictionaries. A row pointed at cannot be removed until the transaction ends.
 * @param before the row as it was, when one is changed: what a reference shares may not be among the values
 * @returns one problem per field that points at nothing, or at a row that does not share what it must (`within`)
 */
export async function checkLinks(
  trx: Reader,
  entity: Entity,
  writer: Writer,
  values: Values,
  before: Values | null = null,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  const found = linksOf(entity, values, before)
  // Locks are taken in one order everywhere.
  for (const target of [...new Set(found.map(link => link.target))].sort()) {
    const links = found.filter(link => link.target === target)
    const keys = [...new Set(links.flatMap(link => link.keys))]
    const shared = [...new Set(links.flatMap(link => link.shared?.field ?? []))]
    const kept = links.flatMap(({ name }) => String(before?.[name] ?? '').split(',')).filter(key => keys.includes(key))
    const { rows } = await finder(target, keys, writer, { shared, kept }).$castTo<Target>().execute(trx)
    const there = new Map(rows.map(row => [row.key, row]))
    problems.push(...links.flatMap(link => problemOf(link, there)))
  }
  return problems
}

/** Keys that must be found in another table before a row is added. */
export interface LookUp {
  readonly target: string
  readonly keys: readonly string[]
}

/**
 * What a new row points at, where its writer may refer to every living row of the tenant: it can be looked up for several rows
 * at once. Null where more is to be known.
 */
export function plainLookUps(entity: Entity, { person }: Pick<Writer, 'person'>, values: Values): LookUp[] | null {
  const links = linksOf(entity, values, null)
  const isPlain = ({ target, shared }: Link): boolean =>
    !shared && (target === 'region' || target.startsWith('dict:') || !isLimited(person, resourceOf(target)))
  if (links.length > 0 && (person.userType === UserType.candidate || !links.every(isPlain))) return null
  const targets = [...new Set(links.map(({ target }) => target))].sort()
  return targets.map(target => ({ target, keys: links.flatMap(link => (link.target === target ? link.keys : [])) }))
}

/**
 * The condition that everything is found, see {@link plainLookUps}: what is found stays until the transaction ends.
 * @param lookUps of rows that one person could have written, each target once
 * @param isPatient whether rows that somebody holds are waited for
 */
export const foundAll = (lookUps: readonly LookUp[], writer: Writer, isPatient: boolean): Fragment =>
  all(
    lookUps.map(({ target, keys }) => {
      const own = [...new Set(keys)]
      const found = finder(target, own, writer, { shared: [], kept: [], isPatient })
      return sql`(WITH f AS (${found}) SELECT count(DISTINCT f.key) FROM f WHERE f.key = ANY(${own}::text[])) = ${own.length}::int`
    }),
  )

/** A row pointed at: its key, and what it may have to share. */
type Target = { key: string } & Readonly<Record<string, string | null>>

function problemOf({ name, title, keys, shared }: Link, there: ReadonlyMap<string, Target>): FieldProblem[] {
  const rows = keys.map(key => there.get(key))
  if (rows.includes(undefined)) return [{ field: name, msg: `${title}不存在，请重新选择` }]
  if (!shared || rows.every(row => row?.[shared.field] === shared.value)) return []
  return [{ field: name, msg: `所选${title}不属于该${shared.title}，请重新选择` }]
}

/** Columns of all tables that point at an entity, with the condition that finds the ids. */
function pointersAt(name: string, entities: readonly Entity[]): { table: string; kind: string; column: string }[] {
  return entities.flatMap(entity =>
    Object.entries(entity.properties).flatMap(([column, field]) =>
      targets[field.kind]?.(field) === name && field.kind !== 'region'
        ? [{ table: tableOf(entity.name), kind: field.kind, column }]
        : [],
    ),
  )
}

/** Whether a field of some entity refers to rows of this one. */
export const isPointedAt = (name: string, entities: readonly Entity[]): boolean => pointersAt(name, entities).length > 0

/** A query that is true when rows that are not deleted point at some of the ids; null when nothing can. */
export function referencesTo(name: string, entities: readonly Entity[], ids: readonly string[]): Fragment | null {
  const parts = pointersAt(name, entities).map(({ table, kind, column }) => {
    const own = sql.raw(`r.${ident(column)}`)
    const hit =
      kind === 'refs' ? sql`string_to_array(${own}, ',') && ${ids}::text[]` : sql`${own} = ANY(${ids}::bigint[])`
    return sql`EXISTS (SELECT 1 FROM ${sql.raw(ident(table))} r WHERE r."isDeleted" = 0 AND ${hit})`
  })
  return parts.length === 0 ? null : parts.reduce((one, other) => sql`${one} OR ${other}`)
}
