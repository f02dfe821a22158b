import type { CrudFilter, CrudSort, Pagination } from '@refinedev/core'

/** A query as a Blade server reads it. */
export type Query = Record<string, string | number>

/** Endings that say how a value is compared. No ending: the field's own way, text by part, everything else by whole. */
const ENDINGS: Partial<Record<string, string>> = {
  eq: '',
  contains: '_like',
  ncontains: '_notlike',
  ne: '_notequal',
  startswith: '_likeright',
  endswith: '_likeleft',
  gt: '_gt',
  gte: '_ge',
  lt: '_lt',
  lte: '_le',
  null: '_null',
  nnull: '_notnull',
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function asText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** An end of a span of numbers; dates and times hold other signs, too. */
const isNumber = (value: unknown): boolean => /^-?\d+(\.\d+)?$/.test(String(value))

function filterQuery(filter: CrudFilter): Query {
  if (!('field' in filter) || isEmpty(filter.value)) return {}
  const { field, operator, value } = filter
  if (operator === 'between') {
    const [from, to] = value as [unknown, unknown]
    const [least, most] = isNumber(from ?? '') || isNumber(to ?? '') ? ['_ge', '_le'] : ['_dategt', '_datelt']
    return {
      ...(!isEmpty(from) && { [`${field}${least}`]: asText(from) }),
      ...(!isEmpty(to) && { [`${field}${most}`]: asText(to) }),
    }
  }
  const ending = ENDINGS[operator]
  if (ending === undefined) throw new Error(`The server has no filter "${operator}" (field ${field})`)
  return { [`${field}${ending}`]: asText(value) }
}

/** Filters as query keys. Empty values are dropped. @throws for an operator that no Blade server knows. */
export function filtersToQuery(filters: readonly CrudFilter[] = []): Query {
  return Object.assign({}, ...filters.map(filterQuery)) as Query
}

/** Sort orders as `ascs` and `descs`, comma-joined field names. */
export function sortersToQuery(sorters: readonly CrudSort[] = []): Query {
  const of = (order: string): string =>
    sorters
      .filter(sorter => sorter.order === order)
      .map(sorter => sorter.field)
      .join(',')
  const [ascs, descs] = [of('asc'), of('desc')]
  return { ...(ascs && { ascs }), ...(descs && { descs }) }
}

/** A page as `current` and `size`; nothing when the caller pages by itself. */
export function pageToQuery(pagination: Pagination = {}): Query {
  const { mode = 'server', currentPage = 1, pageSize = 10 } = pagination
  return mode === 'server' ? { current: currentPage, size: pageSize } : {}
}
