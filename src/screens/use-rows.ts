import { type CrudFilter, type GetListResponse, type HttpError, useTable } from '@refinedev/core'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { firstView, isEveryRow, type Resource } from '#engine'
import type { WireRow } from './fields/props.ts'
import { preference } from './preferences.ts'
import { received } from './providers/data.ts'
import { takeFirst } from './providers/early-answers.ts'

/** What a search bar holds: a value per field, a pair of ends for a span. */
export type Search = Readonly<Record<string, unknown>>

/** Rows as Refine knows them. */
export type TableRow = WireRow & { readonly id?: string }

/** Rows with those below them. */
export const everyRow = (rows: readonly TableRow[]): TableRow[] =>
  rows.flatMap(row => [row, ...everyRow((row as { children?: TableRow[] }).children ?? [])])

const isSpan = (value: unknown): value is [unknown, unknown] => Array.isArray(value)

const isNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (isSpan(value) && value.every(end => !end))

/** A search as filters; empty values are dropped. Texts are trimmed, because nobody sees a space behind a name. */
export function filtersOf(search: Search): CrudFilter[] {
  return Object.entries(search)
    .map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value] as const)
    .filter(([, value]) => !isNothing(value))
    .map(([field, value]) => ({ field, operator: isSpan(value) ? 'between' : 'eq', value }))
}

/** Filters as a search, to fill the bar from the address. */
export function searchOf(filters: readonly CrudFilter[]): Search {
  return Object.fromEntries(filters.flatMap(filter => ('field' in filter ? [[filter.field, filter.value]] : [])))
}

/** Plain keys of an address that a link to the list may carry, `?examId=1`, and ends of a span, `?time_dategt=…`. */
export function linked(resource: Resource, query = new URLSearchParams(location.search)): Search {
  const isBox = (key: string): boolean => key === 'keyword' && resource.find.length > 0
  const plain = [...query].filter(([key]) => resource.search.includes(key) || isBox(key))
  const spans = resource.search.map(key => [key, [query.get(`${key}_dategt`), query.get(`${key}_datelt`)]] as const)
  return Object.fromEntries([...plain, ...spans.filter(([, ends]) => ends.some(Boolean))])
}

/** Milliseconds in which rows are not asked for again by themselves: those that are drawn at once have just come. */
const NEW = 1000

/** Rows that came before the list, once: the other pages and searches have rows of their own. */
function useFirstRows(resource: Resource, isPlain: boolean): () => GetListResponse<TableRow> | undefined {
  const [take] = useState(() => {
    let isLeft = isPlain && location.search === ''
    return () => {
      if (!isLeft) return undefined
      isLeft = false
      const sent = takeFirst({ ...resource, chip: firstView(resource) ?? null })
      return sent && received<TableRow>(sent)
    }
  })
  return take
}

interface Options {
  /** Fixed filters, such as the parent of child rows. */
  filter?: Search
  /** Inside another screen: search and page stay out of the address. */
  embedded?: boolean
  /** Its named filter stands in the address all the same. */
  chips?: boolean | undefined
}

/** Name of the named filter in the address; an empty one stands for all rows. */
export const CHIP = 'chip'
/** Name of a view that was saved, by its id, in the address. */
export const VIEW = 'view'

/** The view that a person has a list open with, kept beside how the person likes its table. */
export interface Viewed {
  readonly view?: string
}

/**
 * The named filter of a list. It stands in the address, each in a step of its own, so that going back undoes it. An address that
 * asks for values of fields, and for none of them, gets all rows with those.
 */
function useChip(resource: Resource, isOff: boolean) {
  const [query, setQuery] = useSearchParams()
  const [isLinked] = useState(() => Object.keys(linked(resource)).length > 0)
  const asked = query.get(CHIP)
  const chosen = asked ?? (isLinked ? '' : firstView(resource))
  const name = !isOff && chosen && chosen in resource.views ? chosen : undefined
  const choose = (next: string | undefined): void =>
    setQuery(now => {
      const to = new URLSearchParams(now)
      to.set(CHIP, next ?? '')
      to.delete(VIEW)
      to.delete('currentPage')
      return to
    })
  return { name, isLimiting: !isEveryRow(resource.views[name ?? '']), choose }
}

/** The rows of a list with its search, order and page, which stand in the address and survive a reload. */
export function useRows(resource: Resource, { filter = {}, embedded = false, chips = !embedded }: Options) {
  const [query] = useSearchParams()
  const asked = chips ? query.get(VIEW) : null
  // The view whose filters the rows have; undefined until it is known which one the list opens with. An address that says more of
  // the list than its view is of somebody who has changed it since, and reads it again.
  const [viewed, setViewed] = useState(() => {
    if (query.has('filters[0][field]') || query.has('pageSize')) return asked
    return chips && location.search === '' && preference<Viewed>(`table.${resource.name}`).view ? undefined : null
  })
  const isOpening = viewed !== asked
  const initialData = useFirstRows(resource, !embedded && !isOpening && Object.keys(filter).length === 0)
  // A list as it is at first needs nothing in its address; to write that there would draw the page a second time.
  const [isChanged, setChanged] = useState(location.search !== '')
  const chip = useChip(resource, !chips)
  const limit = chip.isLimiting ? { [CHIP]: chip.name } : undefined
  const table = useTable<TableRow, HttpError>({
    resource: resource.name,
    syncWithLocation: !embedded && isChanged,
    pagination: { pageSize: resource.pageSize, mode: resource.tree ? 'off' : 'server' },
    filters: {
      initial: embedded ? [] : filtersOf(linked(resource)),
      permanent: filtersOf(filter),
      defaultBehavior: 'replace',
    },
    meta: { params: limit },
    queryOptions: { retry: false, staleTime: NEW, initialData, enabled: !isOpening },
  })
  const { result, tableQuery, currentPage, pageSize, setCurrentPage } = table
  const own = table.filters.filter(one => !('field' in one && one.field in filter))
  const isAsAtFirst = currentPage === 1 && pageSize === resource.pageSize && table.sorters.length + own.length === 0
  if (!isChanged && !isAsAtFirst) setChanged(true)
  const gone = tableQuery.isSuccess && !tableQuery.isFetching && result.data.length === 0 && currentPage > 1
  // After the last row of a page has been deleted the page does not exist any more.
  useEffect(() => {
    if (gone) setCurrentPage(page => Math.max(1, page - 1))
  }, [gone, setCurrentPage])
  const chosen = useRef(chip.name)
  // Other rows begin at their first page.
  useEffect(() => {
    if (chosen.current !== chip.name) setCurrentPage(1)
    chosen.current = chip.name
  }, [chip.name, setCurrentPage])
  const search = (next: Search): void => {
    table.setFilters(filtersOf(next), 'replace')
    setCurrentPage(1)
  }
  // What is exported and added up is what is shown.
  const filters = [...table.filters, ...filtersOf(limit ?? {})]
  return { ...table, filters, own, chip, search, viewed, setViewed, isOpening, reload: () => void tableQuery.refetch() }
}

/** What {@link useRows} answers. */
export type Rows = ReturnType<typeof useRows>
