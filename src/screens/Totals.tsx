import { Table, type TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { type Column, columnField, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { Cell } from './fields/cells.tsx'
import type { WireRow } from './fields/props.ts'
import type { TableRow } from './use-rows.ts'

interface Props {
  resource: Resource
  totals: WireRow
}

function Sum({ resource, totals, name, as }: Props & { name: string; as?: Column['as'] }): ReactNode {
  const field = columnField(resource, name)
  return field && <Cell field={field} name={name} row={totals} where="table" as={as} />
}

/** What a column adds up: itself, and what stands below it. */
function summedIn({ columns, totals }: Resource, key: string): readonly Pick<Column, 'field' | 'as'>[] {
  const { as, with: below = [] } = columns.find(({ field }) => field === key) ?? {}
  return [{ field: key, as }, ...below.map(field => ({ field }))].filter(({ field }) => totals.includes(field))
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
            {summedIn(resource, String(key)).map(({ field, as }) => (
              <div key={field}>
                <Sum resource={resource} totals={totals} name={field} as={as} />
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
