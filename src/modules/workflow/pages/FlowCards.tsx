import { Pagination, type TableColumnType } from 'antd'
import { Fragment, type ReactNode } from 'react'
import type { FlowRow } from './flow-row.ts'

interface Props {
  rows: readonly FlowRow[]
  keyOf: (row: FlowRow) => string
  columns: readonly TableColumnType<FlowRow>[]
  buttons: (row: FlowRow) => ReactNode
  at: { current: number; pageSize: number; total: number }
  onTurn: (page: number) => void
}

function valueIn(row: FlowRow, { dataIndex, render }: TableColumnType<FlowRow>): ReactNode {
  const value = row[dataIndex as keyof FlowRow]
  return render ? (render(value, row, 0) as ReactNode) : value
}

/** The rows as cards, for windows too narrow for a table: what is missing of a row is left out. */
export function FlowCards({ rows, keyOf, columns, buttons, at, onTurn }: Props): ReactNode {
  const [first, ...others] = columns
  return (
    <>
      <ul className="row-cards">
        {rows.map(row => (
          <li key={keyOf(row)} className="row-card">
            <div className="row-card-head">{first && valueIn(row, first)}</div>
            <dl>
              {others
                .filter(({ dataIndex }) => row[dataIndex as keyof FlowRow])
                .map(column => (
                  <Fragment key={String(column.key)}>
                    <dt>{column.title as string}</dt>
                    <dd>{valueIn(row, column)}</dd>
                  </Fragment>
                ))}
            </dl>
            {buttons(row)}
          </li>
        ))}
      </ul>
      <Pagination simple style={{ marginTop: 12 }} {...at} onChange={onTurn} />
    </>
  )
}
