import { isVisible } from '@rc-component/util'
import { type Key, type ReactNode, useEffect, useRef } from 'react'

interface Props {
  prefixCls: string
  columnsKey: readonly Key[]
  columns: readonly { readonly key?: Key; readonly title?: ReactNode }[]
  /** Told the width of a column in pixels. */
  onColumnResize: (key: Key, width: number) => void
}

const thin = { paddingTop: 0, paddingBottom: 0, borderTop: 0, borderBottom: 0, height: 0 }
const folded = { height: 0, overflow: 'hidden', fontWeight: 'bold' } as const

/**
 * The row by which a table learns the widths of its columns: one observer, which tells them as soon as the rows are seen.
 * Measuring before that would lay the page out and draw the rows twice before anybody sees them. Headings that are more
 * than words are not drawn a second time here: a column of ours that has one has a width.
 */
export default function MeasureRow({ prefixCls, columnsKey, columns, onColumnResize }: Props) {
  const self = useRef<HTMLTableRowElement>(null)
  const tell = useRef<(cells: HTMLCollectionOf<HTMLTableCellElement>) => void>(null)
  const keys = columnsKey.join('\n')
  useEffect(() => {
    tell.current = cells => {
      for (const [at, key] of columnsKey.entries()) onColumnResize(key, cells[at]?.offsetWidth ?? 0)
    }
  })
  useEffect(() => {
    const row = self.current
    if (!row) return
    const watch = new ResizeObserver(() => {
      if (isVisible(row)) tell.current?.(row.cells)
    })
    // Other columns are other cells.
    if (keys) for (const cell of row.cells) watch.observe(cell)
    return () => watch.disconnect()
  }, [keys])
  const titles = new Map(columns.map(({ key, title }) => [key, title]))
  return (
    <tr ref={self} aria-hidden className={`${prefixCls}-measure-row`} style={{ height: 0 }}>
      {columnsKey.map(key => {
        const title = titles.get(key)
        return (
          <td key={key} style={thin}>
            <div style={folded}>{typeof title === 'string' && title ? title : '\u00a0'}</div>
          </td>
        )
      })}
    </tr>
  )
}
