import { Checkbox, Pagination } from 'antd'
import type { ReactNode } from 'react'
import { type Column, columnField, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import type { RowButton } from './ActionButtons.tsx'
import { idOf } from './actions.ts'
import { columnTitle, type Opening, shownColumns } from './columns.tsx'
import type { WireRow } from './fields/props.ts'
import { ListCell } from './ListCell.tsx'
import { usePaging } from './paging.tsx'
import { TotalsCard } from './Totals.tsx'
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
  opening: Opening
  /** Sums over all that is found; nothing where there are none. */
  totals: WireRow | undefined
}

type Leveled = TableRow & { readonly children?: readonly TableRow[] }

const flat = (rows: readonly Leveled[]): readonly Leveled[] => rows.flatMap(row => [row, ...flat(row.children ?? [])])

/** Values in the last line of a short card. */
const VALUES = 2

/** A column without what stands below it. */
const plain = (column: Column | undefined): Column | undefined => column && { ...column, with: [] }

/** Kinds whose values say nothing without their heading. */
const bare: readonly unknown[] = ['integer', 'decimal', 'money', 'date', 'dateTime', 'flag']

const needsLabel = (resource: Resource, { field }: Column): boolean => bare.includes(columnField(resource, field)?.kind)

/** What stands on a card whose row can be opened: its name and state, what is next to it, and two values. */
function shortly(resource: Resource, columns: readonly Column[]) {
  const [first, ...others] = columns
  const isState = ({ field }: Column): boolean => columnField(resource, field)?.kind === 'state'
  const state = others.find(({ as, card }) => as === 'tag' && !card) ?? others.find(isState)
  const [second, ...rest] = others.filter(one => one !== state && !one.card)
  const chosen = others.filter(one => one !== state && one.card)
  return { first, state, second, values: [...chosen, ...rest].slice(0, Math.max(VALUES, chosen.length)) }
}

/** The rows as cards, for windows too narrow for a table. */
export function RowCards({ resource, table, rows, settings, chosen, onChoose, buttons, opening, totals }: Props) {
  const t = useT()
  const { itemRender } = usePaging()
  const columns = shownColumns(resource, settings)
  const [first, ...others] = columns
  const short = shortly(resource, columns)
  const toggle = (id: string): void => {
    if (chosen) onChoose(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
  }
  const cell = (row: TableRow, column: Column | undefined, open?: RowButton): ReactNode =>
    column && <ListCell resource={resource} column={column} row={row} open={open} />
  const label = ({ field }: Column): ReactNode => <span className="row-card-label">{columnTitle(resource, field)}</span>
  const box = (id: string): ReactNode =>
    chosen && <Checkbox checked={chosen.includes(id)} aria-label={t('选择')} onChange={() => toggle(id)} />
  return (
    <>
      {totals && <TotalsCard resource={resource} totals={totals} />}
      <ul className="row-cards">
        {flat(rows as readonly Leveled[]).map(row => {
          const id = idOf(resource, row)
          const open = opening(row)
          if (open)
            return (
              <li key={id} className="row-card short">
                <div className="row-card-head">
                  {box(id)}
                  <div className="row-card-name">{cell(row, short.first, open)}</div>
                  {short.state && needsLabel(resource, short.state) && label(short.state)}
                  {cell(row, short.state)}
                </div>
                <div className="row-card-line">
                  {short.second && (
                    <span>
                      {needsLabel(resource, short.second) && label(short.second)} {cell(row, plain(short.second))}
                    </span>
                  )}
                </div>
                <div className="row-card-line">
                  <span className="row-card-values">
                    {short.values.map(column => (
                      <span key={column.field}>
                        {label(column)} {cell(row, plain(column))}
                      </span>
                    ))}
                  </span>
                  <span className="row-card-buttons">{buttons(row)}</span>
                </div>
              </li>
            )
          return (
            <li key={id} className="row-card">
              <div className="row-card-head">
                {box(id)}
                {cell(row, first)}
              </div>
              <dl>
                {others.map(column => (
                  <CardLine key={column.field} label={columnTitle(resource, column.field)}>
                    {cell(row, column)}
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
