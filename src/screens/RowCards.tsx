import { Checkbox, Pagination } from 'antd'
import type { ReactNode } from 'react'
import { type CellName, columnField, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { columnTitle, shownColumns } from './columns.tsx'
import { Cell } from './fields/cells.tsx'
import { usePaging } from './paging.tsx'
import type { TableSettings } from './table-settings.ts'
import type { Rows, TableRow } from './use-rows.ts'

interface Props {
  resource: Resource
  table: Rows
  rows: readonly TableRow[]
  settings: TableSettings
  chosen: readonly string[] | undefined
  onChoose: (ids: readonly string[]) => void
  buttons: (row: TableRow) => ReactNode
}

type Leveled = TableRow & { readonly children?: readonly TableRow[] }

const flat = (rows: readonly Leveled[]): readonly Leveled[] => rows.flatMap(row => [row, ...flat(row.children ?? [])])

/** The rows as cards, for windows too narrow for a table. */
export function RowCards({ resource, table, rows, settings, chosen, onChoose, buttons }: Props) {
  const t = useT()
  const { itemRender } = usePaging()
  const [first, ...others] = shownColumns(resource, settings)
  const toggle = (id: string): void => {
    if (chosen) onChoose(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
  }
  const cell = (row: TableRow, name: string, as?: CellName): ReactNode => {
    const field = columnField(resource, name)
    return field && <Cell field={field} name={name} row={row} where="table" as={as} />
  }
  return (
    <>
      <ul className="row-cards">
        {flat(rows as readonly Leveled[]).map(row => {
          const id = idOf(resource, row)
          return (
            <li key={id} className="row-card">
              <div className="row-card-head">
                {chosen && (
                  <Checkbox checked={chosen.includes(id)} aria-label={t('选择')} onChange={() => toggle(id)} />
                )}
                {first && cell(row, first.field, first.as)}
              </div>
              <dl>
                {others.map(column => (
                  <CardLine key={column.field} label={columnTitle(resource, column.field)}>
                    {cell(row, column.field, column.as)}
                  </CardLine>
                ))}
              </dl>
              {buttons(row)}
            </li>
          )
        })}
      </ul>
      {!resource.tree && (
        <Pagination
          itemRender={itemRender}
          simple
          style={{ marginTop: 12 }}
          current={table.currentPage}
          pageSize={table.pageSize}
          total={table.result.total ?? 0}
          onChange={page => table.setCurrentPage(page)}
        />
      )}
    </>
  )
}

function CardLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
