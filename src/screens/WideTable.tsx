import { Table, type TableProps, type TableRef } from 'antd'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useRowCheckboxes } from './RowCheckbox.tsx'
import './wide-table.css'

type Columns<Row> = NonNullable<TableProps<Row>['columns']>

interface Props<Row> extends Omit<TableProps<Row>, 'columns' | 'scroll' | 'tableLayout'> {
  /** What the table holds, for those who hear the page. */
  label: string
  columns: Columns<Row>
  /** Pixels of all columns together, or as much as their texts need. A wider place is filled. */
  width: number | 'max-content'
  /** Pixels of head and rows together, where the rows scroll below the head. */
  height?: number
}

/** Pixels of the column of boxes by which rows are chosen. */
export const SELECTION = 48

const isAtStart = ({ fixed }: { fixed?: unknown }): boolean => fixed === true || fixed === 'left' || fixed === 'start'

/** Places the columns that stay at the start beside one another; antd would measure them for that. */
function besideOneAnother<Row>(columns: Columns<Row>, selection: number): Columns<Row> {
  let offset = selection
  return columns.map(column => {
    if (!isAtStart(column)) return column
    const style = { insetInlineStart: offset }
    offset += Number(column.width) || 0
    return { ...column, onCell: () => ({ style }), onHeaderCell: () => ({ style }) }
  })
}

/**
 * Makes a box a stop of the keyboard, with a name, for as long as it holds more than it shows, and has antd draw the
 * shadows that say so.
 */
function mark(box: HTMLElement, label: string): void {
  const isWider = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight
  const wanted = { tabindex: '0', role: 'region', 'aria-label': label }
  for (const [name, value] of Object.entries(wanted)) {
    if (isWider) box.setAttribute(name, value)
    else box.removeAttribute(name)
  }
  if (isWider) box.dispatchEvent(new Event('scroll'))
}

/**
 * A table that scrolls by itself where it is wider than its place, with the arrow keys too.
 *
 * The browser lays it out: `scroll` of antd measures every column while the rows are drawn and draws them a second time
 * before anybody sees them.
 */
export function WideTable<Row extends object>({ label, columns, width, height, ...props }: Props<Row>) {
  const self = useRef<TableRef>(null)
  useEffect(() => {
    const box = self.current?.nativeElement.querySelector<HTMLElement>('.ant-table-content')
    if (!box) return
    const watch = new ResizeObserver(() => mark(box, label))
    watch.observe(box)
    return () => watch.disconnect()
  })
  const { rowSelection } = props
  const checkboxes = useRowCheckboxes()
  const isFixed = width !== 'max-content' && columns.some(({ fixed }) => fixed)
  const style: CSSProperties & Record<`--${string}`, string | undefined> = {
    '--wide-table': typeof width === 'number' ? `${width}px` : width,
    '--wide-table-height': height === undefined ? undefined : `${height}px`,
  }
  return (
    <Table<Row>
      ref={self}
      {...props}
      className={height === undefined ? 'wide-table' : 'wide-table low-table'}
      style={style}
      tableLayout={isFixed ? 'fixed' : undefined}
      columns={besideOneAnother(columns, rowSelection ? SELECTION : 0)}
      rowSelection={rowSelection && { ...checkboxes, ...rowSelection, columnWidth: SELECTION }}
    />
  )
}
