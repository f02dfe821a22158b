import { Table, type TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { columnField, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { Cell } from './fields/cells.tsx'
import type { WireRow } from './fields/props.ts'
import type { TableRow } from './use-rows.ts'

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
