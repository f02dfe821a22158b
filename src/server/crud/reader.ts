import { type Entity, type Field, fieldOf, type Kind, maskSealed, type Resource, tableOf } from '#engine'
import { entities } from '#schemas'
import type { Vault } from '../plugins/vault.ts'
import { ident } from './fragment.ts'

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

const heavyKinds: readonly Kind[] = ['richText', 'json']

/** Read in the detail only: what is large by its kind, and what the server itself writes at length, such as traces. */
const isHeavy = ({ kind, filled }: Field): boolean =>
  heavyKinds.includes(kind) || (kind === 'longText' && filled === true)

/** Names of the fields a list shows beyond those its columns ask for: everything light. */
export function listedFields(resource: Resource): readonly string[] {
  const asked = new Set(resource.columns.map(column => column.field))
  return Object.entries(resource.entity.properties)
    .filter(([name, field]) => !field.hidden && (asked.has(name) || !isHeavy(field)))
    .map(([name]) => name)
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
 * @param fields names of the entity's own fields to show
 * @param whole sealed texts as they are stored, for whoever may read them, instead of their masks
 */
export function selectList(resource: Resource, fields: readonly string[], whole = false): string {
  const { entity } = resource
  const names = [...fields, 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime']
  const parts = names.flatMap(name => {
    const field = fieldOf(entity, name)
    const shape = field && shapes[field.kind]
    if (!field || !shape) return []
    const plain = `t.${ident(name)}`
    // A row without its mask shows the sealed text, which is masked on its way out.
    const masked = field.kind === 'sealed' && !whole
    const column = masked ? `coalesce(t.${ident(`${name}Mask`)}, ${plain})` : plain
    const label = labelOf(field, column)
    return [`${shape(column, field)} AS ${ident(name)}`, ...(label ? [`${label} AS ${ident(`${name}Name`)}`] : [])]
  })
  return [...baseParts(entity), ...parts].join(', ')
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
