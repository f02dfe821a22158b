import {
  columnNames,
  type Entity,
  type Field,
  fieldOf,
  isParentField,
  type Kind,
  maskSealed,
  noParent,
  type Resource,
  type Step,
  tableOf,
} from '#engine'
import { dictionaries, entities } from '#schemas'
import { quoteValue } from '../platform/database/wanted.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { ident } from './fragment.ts'
import { farColumn } from './step.ts'

const zone = 'Asia/Shanghai'

const text = (column: string) => `coalesce(${column}::text, '')`
const number = (column: string) => `coalesce(to_json(${column}), '""'::json)`
const instant = (column: string) => `coalesce(to_char(${column} AT TIME ZONE '${zone}', 'YYYY-MM-DD HH24:MI:SS'), '')`

/** What each kind looks like on the wire, as SQL over its column; null when it never leaves the server. */
const shapes: Record<Kind, ((column: string, field: Field) => string) | null> = {
  text,
  longText: text,
  richText: text,
  integer: number,
  decimal: column => `coalesce(trim_scale(${column})::text, '')`,
  money: number,
  flag: number,
  date: text,
  dateTime: instant,
  dict: (column, field) => (field.type === 'integer' ? number(column) : text(column)),
  dicts: text,
  state: (column, field) => (field.type === 'integer' ? number(column) : text(column)),
  ref: text,
  refs: text,
  region: text,
  image: text,
  file: text,
  json: column => `coalesce(${column}::json, '""'::json)`,
  sealed: text,
  secret: null,
}

const entityOf = new Map<string, Entity>(entities.map(one => [one.name, one]))

/** A value of a field in its wire shape, as SQL over its column; null when it never leaves the server. */
export function shapeOf(entity: Entity, field: Field, column: string): string | null {
  if (isParentField(entity, field)) return `coalesce(${column}::text, '${noParent}')`
  return shapes[field.kind]?.(column, field) ?? null
}

/** SQL of the label of one referenced row, or of several joined by commas; deleted rows keep their label. */
function labelOf(field: Field, column: string): string | null {
  const target = field.ref ? entityOf.get(field.ref) : undefined
  if (!target) return null
  const label = `l.${ident(target.label)}::text`
  const from = `FROM ${ident(tableOf(target.name))} l WHERE`
  if (field.kind === 'ref') return `coalesce((SELECT ${label} ${from} l.id = ${column}), '')`
  const ids = `string_to_array(${column}, ',')::bigint[]`
  return `coalesce((SELECT string_agg(${label}, ',' ORDER BY array_position(${ids}, l.id)) ${from} l.id = ANY(${ids})), '')`
}

const wordsOf = new Map(dictionaries.map(one => [one.code as string, one]))

/** SQL of the word of one key of a dictionary as the row's tenant has it now, or as the definition has it. */
function wordOf({ kind, dict: code = '' }: Field, column: string): string | null {
  const dictionary = wordsOf.get(code)
  if ((kind !== 'dict' && kind !== 'state' && kind !== 'flag') || !dictionary) return null
  const key = `${column}::text`
  const whose = dictionary.biz ? ` AND w."tenantId" = t."tenantId"` : ''
  const kept = `(SELECT w."dictValue" FROM ${dictionary.biz ? 'dict_biz' : 'dict'} w WHERE w.code = ${quoteValue(code)}
    AND w."dictKey" = ${key}${whose} AND w."isDeleted" = 0 AND coalesce(w."parentId", 0) <> 0 LIMIT 1)`
  const cases = Object.entries(dictionary.entries).map(
    ([one, word]) => ` WHEN ${quoteValue(one)} THEN ${quoteValue(word)}`,
  )
  const first = cases.length > 0 ? `, CASE ${key}${cases.join('')} END` : ''
  return `coalesce(${kept}${first}, '')`
}

/** What the wire calls by a second name, and words beside keys. */
function namedParts({ entity, names, aliases }: Resource, fields: readonly string[]): string[] {
  const parts = (given: Readonly<Record<string, string>>, sqlOf: (field: Field, column: string) => string | null) =>
    Object.entries(given).flatMap(([wire, name]) => {
      const field = entity.properties[name]
      const sql = field && fields.includes(name) ? sqlOf(field, `t.${ident(name)}`) : null
      return sql === null ? [] : [`${sql} AS ${ident(wire)}`]
    })
  const { key } = entity
  // A tree whose rows point at one another by their own key.
  const own = (column: string) => `coalesce((SELECT l.${ident(entity.label)}::text FROM ${ident(tableOf(entity.name))} l
    WHERE l.${ident(key)} = ${column} AND l."isDeleted" = 0 LIMIT 1), '')`
  return [
    ...parts(
      names,
      (field, column) => labelOf(field, column) ?? wordOf(field, column) ?? (key === 'id' ? null : own(column)),
    ),
    ...parts(aliases, (field, column) => shapeOf(entity, field, column)),
  ]
}

const heavyKinds: readonly Kind[] = ['richText', 'json']

/** Read in the detail only: what is large by its kind, and what the server itself writes at length, such as traces. */
const isHeavy = ({ kind, filled }: Field): boolean =>
  heavyKinds.includes(kind) || (kind === 'longText' && filled === true)

/** Names of the fields a list shows beyond those its columns ask for: everything light. */
export function listedFields(resource: Resource): readonly string[] {
  const asked = new Set(columnNames(resource))
  const own = Object.entries(resource.entity.properties)
    .filter(([name, field]) => !field.hidden && (asked.has(name) || !isHeavy(field)))
    .map(([name]) => name)
  return [...own, ...farColumns(resource)]
}

/** Names of what is shown from behind references. */
export const farColumns = (resource: Resource): readonly string[] => {
  const shown = new Set([...columnNames(resource), ...resource.search])
  return Object.keys(resource.steps).filter(name => shown.has(name))
}

/** A column behind a reference in its wire shape, with its label; sealed texts by their masks alone. */
function farParts(name: string, step: Step): string[] {
  const target = entityOf.get(step.to)
  const plain = farColumn(step)
  const { kind } = step.field
  const masked = `CASE WHEN ${plain} IS NULL THEN NULL ELSE coalesce(${farColumn(step, 'Mask')}, '****') END`
  const column = kind === 'sealed' ? masked : plain
  const shape = target && shapeOf(target, step.field, column)
  if (!shape) return []
  const label = labelOf(step.field, column)
  return [`${shape} AS ${ident(name)}`, ...(label ? [`${label} AS ${ident(`${name}Name`)}`] : [])]
}

const baseNumbers = ['status', 'isDeleted']

function baseParts(entity: Entity): string[] {
  const own = (name: string) => name in entity.properties
  const parts = ['t.id::text AS "id"']
  if (!own('tenantId')) parts.push('t."tenantId" AS "tenantId"')
  parts.push(...baseNumbers.filter(name => !own(name)).map(name => `t.${ident(name)}`))
  if (entity.version) parts.push('t.version')
  return parts
}

/**
 * The select list of a resource: every value in its wire shape, references with their labels.
 * @param fields names of the fields to show; those behind references need the joins of `step.ts` in the statement
 * @param whole sealed texts as they are stored, for whoever may read them, instead of their masks
 * @param isShown whether a name is for whoever asks
 */
export function selectList(
  resource: Resource,
  fields: readonly string[],
  whole = false,
  isShown: (name: string) => boolean = () => true,
): string {
  const { entity } = resource
  const names = [...fields, 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime'].filter(isShown)
  const parts = names.flatMap(name => {
    const step = resource.steps[name]
    if (step) return farParts(name, step)
    const field = fieldOf(entity, name)
    if (!field) return []
    const plain = `t.${ident(name)}`
    // A row without its mask shows the sealed text, which is masked on its way out.
    const masked = field.kind === 'sealed' && !whole
    const column = masked ? `coalesce(t.${ident(`${name}Mask`)}, ${plain})` : plain
    const shape = shapeOf(entity, field, column)
    if (shape === null) return []
    const label = labelOf(field, column)
    return [`${shape} AS ${ident(name)}`, ...(label ? [`${label} AS ${ident(`${name}Name`)}`] : [])]
  })
  return [...baseParts(entity), ...parts, ...namedParts(resource, names)].join(', ')
}

/** Names of the sealed fields of an entity. */
export const sealedFields = (entity: Entity): readonly string[] =>
  Object.keys(entity.properties).filter(name => entity.properties[name]?.kind === 'sealed')

/** Opens a sealed text; what cannot be opened reads as stars. */
export function openSealed(vault: Vault, sealed: string): string {
  try {
    return vault.open(sealed)
  } catch {
    return '****'
  }
}

/**
 * Makes the sealed values in rows of JSON text readable without parsing them: masked, or whole for the owner. A quote
 * inside a JSON text is always escaped, so only a real key can match.
 */
export function unsealText(json: string, entity: Entity, vault: Vault, whole = false): string {
  const fields = sealedFields(entity)
  if (fields.length === 0) return json
  return json.replace(sealedPattern(fields), (_, field: string, sealed: string) => {
    const value = openSealed(vault, sealed)
    return `"${field}":${JSON.stringify(whole ? value : maskSealed(value))}`
  })
}

const patterns = new Map<string, RegExp>()

function sealedPattern(fields: readonly string[]): RegExp {
  const key = fields.join('|')
  const known = patterns.get(key) ?? new RegExp(`"(${key})":"(v\\d+:[A-Za-z0-9+/=]+)"`, 'g')
  patterns.set(key, known)
  return known
}
