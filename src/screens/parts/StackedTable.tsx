import { Table, type TableColumnType } from 'antd'
import { Fragment, type ReactNode } from 'react'
import { useSmall } from '../window/use-width.ts'
import '../screens.css'

interface Props<Row> {
  rowKey: keyof Row & string
  rows: readonly Row[]
  columns: readonly TableColumnType<Row>[]
  /** Pixels of all columns together. */
  width: number
}

/** A table on a desk. On a phone each row is a card: the first column is its head, the others stand below by their names. */
export function StackedTable<Row extends object>({ rowKey, rows, columns, width }: Props<Row>): ReactNode {
  const isSmall = useSmall()
  if (!isSmall)
    return (
      <Table<Row>
        rowKey={rowKey}
        size="small"
        pagination={false}
        dataSource={[...rows]}
        scroll={{ x: width }}
        columns={[...columns]}
      />
    )
  const said = ({ dataIndex, render }: TableColumnType<Row>, row: Row, at: number): ReactNode => {
    const value = row[dataIndex as keyof Row]
    return (render ? render(value, row, at) : value) as ReactNode
  }
  const [head, ...others] = columns
  return (
    <ul className="row-cards">
      {rows.map((row, at) => (
        <li key={String(row[rowKey])} className="row-card">
          {head && <div className="row-card-head">{said(head, row, at)}</div>}
          <dl>
            {others.map(column => {
              const value = said(column, row, at)
              if (value === null || value === undefined || value === '') return null
              const title = String(column.title)
              return (
                <Fragment key={title}>
                  <dt>{title}</dt>
                  <dd>{value}</dd>
                </Fragment>
              )
            })}
          </dl>
        </li>
      ))}
    </ul>
  )
}
