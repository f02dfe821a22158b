import { sql } from 'kysely'
import {
  type Field,
  fieldOf,
  isDay,
  isParentField,
  type Kind,
  noParent,
  type Resource,
  readFilter,
  type Search,
  type SearchBy,
  type Suffix,
  searchOf,
} from '#engine'
import { resources } from '#resources'
import { workspaces } from '#resources/workspaces'
import { anywhere, literally } from '../platform/database/like.ts'
import type { Person } from '../platform/http/server/access.ts'
import { type Refusal, refuse } from '../platform/http/server/refusal.ts'
import type { Vault } from '../platform/vault/vault.ts'
import { type Fragment, ident } from './fragment.ts'
import { dayPattern, isId, isInstant } from './input.ts'
import { type Asking, measureSql } from './measure.ts'
import type { Scopes } from './scope-rule.ts'
import { farCondition } from './step.ts'
import { viewsOf } from './view.ts'

/** What a filter needs to know besides its own words. */
export interface FilterContext {
  readonly app: Scopes & Asking['app']
  readonly resource: Resource
  readonly person: Person
  readonly now: Date
  readonly vault: Vault
  /** What may be filtered by. */
  readonly allowed: ReadonlySet<string>
  /** Whether whoever asks reads a field: nothing else is filtered by. */
  readonly isAllowed: (name: string) => boolean
}

/** The refusal of a parameter that is not understood, with the name of the key. */
export const badParameter = (key: string, why: string): Refusal =>
  refuse('input.invalid', { 说明: `${key} ${why}` }, [{ field: key, msg: why }])

const allowedNames = new Map<string, ReadonlySet<string>>()

/** By what the pages of workspaces that list a resource find the rows that belong to their row. */
const placed = ({ name }: Resource): string[] =>
  workspaces.flatMap(one => one.pages.flatMap(page => ('list' in page && page.list === name ? [page.by] : [])))

/** Names a resource may be filtered by: its search keys and those of its views, its key field, the time of creation and what its parents point by. */
export function filterNames(resource: Resource): ReadonlySet<string> {
  const known = allowedNames.get(resource.name)
  if (known) return known
  const pointers = resources.flatMap(one => one.children.filter(child => child.resource === resource.name))
  const parent = resource.tree ? [resource.tree.parent] : []
  const shown = viewsOf(resource).flatMap(({ search, view: { tabs } }) => [...search, ...(tabs ? [tabs.field] : [])])
  const names = [
    ...resource.search,
    ...shown,
    resource.entity.key,
    'createTime',
    ...pointers.map(({ by }) => by),
    ...placed(resource),
    ...parent,
  ]
  const made = new Set(names)
  allowedNames.set(resource.name, made)
  return made
}

/** Names that a list which shows its rows whole may be filtered and sorted by beyond those: second names, and the tenant. */
export function listNames(resource: Resource): ReadonlySet<string> {
  const known = listed.get(resource)
  if (known) return known
  const { filters, aliases, entity } = resource
  const tenant = entity.tenant ? ['tenantId'] : []
  const made = new Set([...filterNames(resource), ...filters, ...Object.keys(aliases), ...tenant])
  listed.set(resource, made)
  return made
}

const listed = new WeakMap<Resource, ReadonlySet<string>>()

const tenantField = { kind: 'text', title: '租户编号', type: 'string' } as const satisfies Field
const idField = { kind: 'ref', title: '编号', type: 'string' } as const satisfies Field
/** The field that a filter of this name compares; undefined for a name that is no field. */
export const filterField = ({ entity, steps, measured, derived }: Resource, name: string): Field | undefined => {
  const own = steps[name]?.field ?? fieldOf(entity, name) ?? (measured.includes(name) ? derived[name] : undefined)
  if (own) return own
  return name === 'id' ? idField : name === 'tenantId' ? tenantField : undefined
}

interface One {
  key: string
  field: Field
  column: Fragment
  value: string
  context: FilterContext
}

const sizes: Partial<Record<Kind, string>> = {
  integer: 'integer',
  money: 'integer',
  flag: 'integer',
  decimal: 'numeric',
}
const isWholeNumber = (field: Field) => field.type === 'integer'

/** The value as the column's own type, or the refusal that says why it is none. */
function typed({ key, field, value }: One): Fragment {
  if (field.kind === 'date' || field.kind === 'dateTime') return instant(key, field, value)
  if (isWholeNumber(field)) {
    if (!/^-?\d{1,10}$/.test(value) || Math.abs(Number(value)) > 2147483647) throw badParameter(key, '应为整数')
    return sql`${value}::integer`
  }
  if (sizes[field.kind]) {
    if (!/^-?\d{1,16}(\.\d{1,10})?$/.test(value)) throw badParameter(key, '应为数字')
    return sql`${value}::numeric`
  }
  if (field.kind === 'ref') {
    if (!isId(value)) throw badParameter(key, '应为编号')
    return sql`${value}::bigint`
  }
  return sql`${value}::text`
}

function instant(key: string, field: Field, value: string): Fragment {
  const isTime = isInstant(value)
  if (!isTime && !isDay(value)) throw badParameter(key, '应为日期时间 yyyy-MM-dd HH:mm:ss')
  if (field.kind === 'date') return sql`${value.slice(0, 10)}::date`
  return sql`(${value}::timestamp AT TIME ZONE 'Asia/Shanghai')`
}

const textColumn = ({ column }: One) => sql`${column}::text`
const empty = (one: One) => sql`coalesce(${textColumn(one)}, '') = ''`
const like = (one: One, pattern: string) => sql`${textColumn(one)} ILIKE ${pattern}`
const compare = (sign: string) => (one: One) => sql`${one.column} ${sql.raw(sign)} ${typed(one)}`

function compareTime(sign: string) {
  return (one: One): Fragment => {
    const { kind } = one.field
    if (kind !== 'date' && kind !== 'dateTime') throw badParameter(one.key, '不支持的查询方式')
    return compare(sign)(one)
  }
}

/** How a key without a suffix is read, by the search of its kind. */
const natural: Record<Search, (one: One) => Fragment> = {
  part: one => like(one, anywhere(one.value)),
  whole: compare('='),
  member: ({ column, value }) => sql`${value}::text = ANY(string_to_array(${column}, ','))`,
  sealed: ({ column, value, context }) => sql`${column} = ${context.vault.hash(context.person.tenantId, value)}`,
  range: one =>
    one.field.kind === 'dateTime' && dayPattern.test(one.value)
      ? sql`(${one.column} AT TIME ZONE 'Asia/Shanghai')::date = ${day(one)}::date`
      : compare('=')(one),
  none: one => {
    throw badParameter(one.key, '不支持查询')
  },
}

const day = ({ key, value }: One) => {
  if (!isDay(value)) throw badParameter(key, '应为日期 yyyy-MM-dd')
  return value
}

const upTo = (one: One) =>
  one.field.kind === 'dateTime' && dayPattern.test(one.value)
    ? sql`(${one.column} AT TIME ZONE 'Asia/Shanghai')::date <= ${day(one)}::date`
    : compare('<=')(one)

/** How a key without a suffix is read where the resource says so. */
const said: Record<SearchBy, (one: One) => Fragment> = {
  part: natural.part,
  whole: one => (searchOf[one.field.kind] === 'part' ? compare('=')(one) : natural[searchOf[one.field.kind]](one)),
  from: compare('>='),
  to: upTo,
  between: one => natural[searchOf[one.field.kind]](one),
}

/** The condition of each suffix. */
const operators: Record<Suffix, (one: One) => Fragment> = {
  '': one => natural[searchOf[one.field.kind]](one),
  _like: one => like(one, anywhere(one.value)),
  _likeleft: one => like(one, `%${literally(one.value)}`),
  _likeright: one => like(one, `${literally(one.value)}%`),
  _notlike: one => sql`coalesce(${textColumn(one)}, '') NOT ILIKE ${anywhere(one.value)}`,
  _equal: compare('='),
  _notequal: one => sql`${one.column} IS DISTINCT FROM ${typed(one)}`,
  _ge: compare('>='),
  _gt: compare('>'),
  _le: compare('<='),
  _lt: compare('<'),
  _datege: compareTime('>='),
  _dategt: compareTime('>'),
  _datele: compareTime('<='),
  _datelt: compareTime('<'),
  _dateequal: compareTime('='),
  _null: empty,
  _notnull: one => sql`NOT (${empty(one)})`,
  _ignore: () => sql.raw('true'),
}

/** A sealed field can be compared as a whole only: its text is nowhere in the database. */
const sealedOperators: Partial<Record<Suffix, (one: One) => Fragment>> = {
  '': natural.sealed,
  _equal: natural.sealed,
  _notequal: ({ column, value, context }) =>
    sql`${column} IS DISTINCT FROM ${context.vault.hash(context.person.tenantId, value)}`,
  _null: empty,
  _notnull: operators._notnull,
  _ignore: operators._ignore,
}

/** Keys of a list call that are no filters. */
export const pagingKeys: ReadonlySet<string> = new Set(['current', 'size', 'ascs', 'descs'])

/** The condition that a row has no parent. */
export const noneOf = (column: Fragment): Fragment => sql`(coalesce(${column}, 0) = 0)`

function conditionOf(key: string, value: string, context: FilterContext): Fragment | null {
  const { resource, allowed, isAllowed } = context
  if (value === '') return null
  const { given, name, suffix } = readKey(key, resource, allowed)
  const field = allowed.has(given) && isAllowed(name) ? filterField(resource, name) : undefined
  if (!field) throw badParameter(key, '不支持的查询条件')
  const isSealed = field.kind === 'sealed'
  const way = suffix === '' ? resource.searchBy[name] : undefined
  const operator = isSealed ? sealedOperators[suffix] : way ? said[way] : operators[suffix]
  if (!operator) throw badParameter(key, '不支持的查询方式')
  if (value.includes('\0')) throw badParameter(key, '含有非法字符')
  const step = resource.steps[name]
  const stored = () => sql.raw(`${step ? 'f' : 't'}.${ident(`${step?.name ?? name}${isSealed ? 'Hash' : ''}`)}`)
  const column = resource.measured.includes(name) ? measureSql(name, context) : stored()
  if (step) return farCondition(step, operator({ key, field, column, value, context }), context)
  if (value === noParent && isParentField(resource.entity, field)) {
    if (suffix === '' || suffix === '_equal') return noneOf(column)
    if (suffix === '_notequal') return sql`NOT ${noneOf(column)}`
  }
  return operator({ key, field, column, value, context })
}

/** A key of a list call: the name of a field or another that stands for it, and how it is compared. A field may itself end like a suffix. */
export function readKey(key: string, { aliases }: Resource, allowed: ReadonlySet<string>) {
  const { field: given, suffix } = allowed.has(key) ? { field: key, suffix: '' as Suffix } : readFilter(key)
  return { given, name: aliases[given] ?? given, suffix }
}

/**
 * Whether a list is filtered by nothing but values that a column equals. How many rows such a condition leaves is about the same for
 * all values; of ranges and parts of texts the planner of the database knows nothing without the values.
 */
export const isExact = (resource: Resource, query: Readonly<Record<string, string>>): boolean =>
  Object.keys(query).every(key => {
    if (pagingKeys.has(key)) return true
    const { name, suffix } = readKey(key, resource, listNames(resource))
    const kind = filterField(resource, name)?.kind
    const isWhole = kind !== undefined && ['whole', 'sealed'].includes(searchOf[kind])
    return suffix === '_equal' || (suffix === '' && isWhole && !resource.searchBy[name])
  })

/**
 * The conditions of a list's query parameters. Empty values say nothing; an unknown key, operator or value is refused
 * (input.invalid) with its name.
 * @param except names this call takes itself
 */
export function filtersOf(
  query: Readonly<Record<string, string>>,
  context: FilterContext,
  except: readonly string[] = [],
): Fragment[] {
  return Object.entries(query)
    .filter(([key]) => !pagingKeys.has(key) && !except.includes(key))
    .map(([key, value]) => conditionOf(key, value, context))
    .filter(condition => condition !== null)
}
