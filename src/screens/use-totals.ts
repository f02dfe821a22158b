import type { CrudFilter } from '@refinedev/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callOf, type Resource } from '#engine'
import { call } from '../platform/http/browser/call.ts'
import type { WireRow } from './fields/props.ts'
import { filtersToQuery } from './providers/query.ts'

/** The rows a list shows: what they are filtered by, and when they came. */
interface Shown {
  filters: readonly CrudFilter[]
  tableQuery: { dataUpdatedAt: number }
}

/**
 * Sums of a resource's totals over everything the list finds; asked again whenever its rows are.
 * @returns nothing for a resource without totals, no values until they have come
 */
export function useTotals(resource: Resource, { filters, tableQuery }: Shown): WireRow | undefined {
  const sums = callOf(resource, 'totals')
  const params = filtersToQuery(filters)
  const isAsked = resource.totals.length > 0
  const { data = {} } = useQuery({
    queryKey: [sums.path, params, tableQuery.dataUpdatedAt],
    queryFn: ({ signal }) => call(sums, params, { signal }),
    enabled: isAsked && tableQuery.dataUpdatedAt > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return isAsked ? data : undefined
}
