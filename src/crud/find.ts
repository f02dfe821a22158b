import { sql } from 'kysely'
import { columnField, type Field, type FoundThrough, type Resource, tableOf } from '#engine'
import { anywhere } from '../platform/database/like.ts'
import { badParameter, type FilterContext } from './filter.ts'
import { type Fragment, ident, join } from './fragment.ts'
import { namedResource } from './lookup.ts'
import { mayRead } from './readable.ts'
import { scopeOf } from './scope.ts'
import { farCondition } from './step.ts'

/** The condition of one field on the column of its row: a part of a text, the whole of what is sealed. */
function met(field: Field, column: string, text: string, { vault, person }: FilterContext): Fragment {
  if (field.kind !== 'sealed') return sql`${sql.raw(`${column}::text`)} ILIKE ${anywhere(text)}`
  // ID numbers are kept with a capital X.
  return sql`${sql.raw(column)} = ${vault.hash(person.tenantId, field.format === 'idCard' ? text.toUpperCase() : text)}`
}

function conditionOn(resource: Resource, name: string, text: string, context: FilterContext): Fragment {
  const field = columnField(resource, name) as Field
  const step = resource.steps[name]
  const column = `${step ? 'f' : 't'}.${ident(`${step?.name ?? name}${field.kind === 'sealed' ? 'Hash' : ''}`)}`
  const condition = met(field, column, text, context)
  return step ? farCondition(step, condition, context) : condition
}

/** Rows of another resource that a text finds, at most. */
const mostThrough = 1000

/** The rows that are about rows of a resource which the text finds, among those that whoever asks meets. */
function throughCondition({ type, ids }: FoundThrough, name: string, text: string, context: FilterContext): Fragment {
  const { app, person, now } = context
  const other = namedResource(name)
  const isAllowed = (field: string) => mayRead(person, other, field)
  const found = sql`SELECT t.id::text FROM ${sql.raw(ident(tableOf(other.entity.name)))} t
    WHERE ${foundBy(text, { ...context, resource: other, isAllowed })} AND ${scopeOf(app, person, other, now)} LIMIT ${sql.lit(mostThrough)}`
  return sql`(t.${sql.raw(ident(type))} = ${name} AND string_to_array(t.${sql.raw(ident(ids))}, ',') && ARRAY(${found}))`
}

/**
 * The rows that a text is found in, in any of the fields that the box of a list searches, among those that whoever asks reads.
 * Where one of them stands behind a reference, each is looked up by itself: no index serves a choice between two tables.
 * @throws input.invalid for a text that cannot be searched
 */
export function foundBy(keyword: string, context: FilterContext): Fragment {
  const { resource, isAllowed } = context
  const { foundThrough } = resource
  const text = keyword.trim()
  if (text.includes('\0')) throw badParameter('keyword', '含有非法字符')
  const names = resource.find.filter(isAllowed)
  if (names.length === 0) throw badParameter('keyword', '不支持的查询条件')
  const conditions = [
    ...names.map(name => conditionOn(resource, name, text, context)),
    ...(foundThrough ? foundThrough.of.map(name => throughCondition(foundThrough, name, text, context)) : []),
  ]
  if (!foundThrough && !names.some(name => resource.steps[name])) return sql`(${join(conditions, ' OR ')})`
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const parts = conditions.map(one => sql`SELECT t.id FROM ${table} t WHERE ${one}`)
  return sql`t.id IN (${join(parts, ' UNION ALL ')})`
}
