import type { CrudFilter } from '@refinedev/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Table, type TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { callOf, columnField, type Resource } from '#engine'
import { call } from '../platform/http/browser/call.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { Cell } from './fields/cells.tsx'
import type { WireRow } from './fields/props.ts'
import { filtersToQuery } from './providers/query.ts'
import type { TableRow } from './use-rows.ts'

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

interface Props {
  resource: Resource
  totals: WireRow
}

function Sum({ resource, totals, name }: Props & { name: string }): ReactNode {
  const field = columnField(resource, name)
  return field && <Cell field={field} name={name} row={totals} where="table" />
}

/** What a column adds up: itself, and what stands below it. */
function summedIn({ columns, totals }: Resource, key: string): readonly string[] {
  const below = columns.find(({ field }) => field === key)?.with ?? []
  return [key, ...below].filter(name => totals.includes(name))
}

/** The row of sums below a table. `chosen`: boxes stand in front of the first column. */
export function TotalsRow({
  resource,
  totals,
  columns,
  chosen,
}: Props & { columns: readonly TableColumnType<TableRow>[]; chosen: boolean }): ReactNode {
  const t = useT()
  return (
    <Table.Summary fixed>
      <Table.Summary.Row className="totals-row">
        {chosen && <Table.Summary.Cell index={0} />}
        {columns.map(({ key, align }, i) => (
          <Table.Summary.Cell key={String(key)} index={i + (chosen ? 1 : 0)} align={align}>
            {i === 0 && t('合计')}
            {summedIn(resource, String(key)).map(name => (
              <div key={name}>
                <Sum resource={resource} totals={totals} name={name} />
              </div>
            ))}
          </Table.Summary.Cell>
        ))}
      </Table.Summary.Row>
    </Table.Summary>
  )
}

/** The same sums as a card, above the cards of a narrow window. */
export function TotalsCard({ resource, totals }: Props): ReactNode {
  const t = useT()
  return (
    <div className="row-card totals-row">
      <div className="row-card-head">{t('合计')}</div>
      <dl>
        {resource.totals.map(name => [
          <dt key={`${name} title`}>{t(columnField(resource, name)?.title ?? name)}</dt>,
          <dd key={name}>
            <Sum resource={resource} totals={totals} name={name} />
          </dd>,
        ])}
      </dl>
    </div>
  )
}
