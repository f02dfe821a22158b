import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callOf, isEveryRow, type Resource } from '#engine'
import { call } from '../platform/http/browser/call.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { grouped } from './fields/number.ts'
import { filtersToQuery } from './providers/query.ts'
import type { Rows } from './use-rows.ts'
import './view-chips.css'

/** How many rows each named filter has among those that are searched for; asked again whenever the rows are. */
function useCounts(resource: Resource, { filters, tableQuery }: Rows): Readonly<Record<string, number>> {
  const counts = callOf(resource, 'views')
  const { chip: _chip, ...params } = filtersToQuery(filters)
  const { data = {} } = useQuery({
    queryKey: [counts.path, params, tableQuery.dataUpdatedAt],
    queryFn: ({ signal }) => call(counts, params, { signal, pass: 'all' }),
    enabled: tableQuery.dataUpdatedAt > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return data
}

/** The named filters of a list with their numbers. A second press on the one that is pressed brings all rows. */
export default function ViewChips({ resource, table }: { resource: Resource; table: Rows }): ReactNode {
  const t = useT()
  const counts = useCounts(resource, table)
  const { name, choose } = table.chip
  // Without a choice all rows are shown, which has a filter of its own where the list names it.
  const chosen = name ?? Object.keys(resource.views).find(one => isEveryRow(resource.views[one]))
  return (
    <fieldset className="view-chips" aria-label={t('筛选')}>
      {Object.keys(resource.views).map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={one === chosen}
          onClick={() => choose(one === chosen ? undefined : one)}
        >
          {t(one)}
          {counts[one] !== undefined && <span>{grouped(counts[one])}</span>}
        </button>
      ))}
    </fieldset>
  )
}
