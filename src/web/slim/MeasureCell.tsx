import ResizeObserver from '@rc-component/resize-observer'
import type { ReactNode } from 'react'

interface Props {
  columnKey: string
  title?: ReactNode
}

const thin = { paddingTop: 0, paddingBottom: 0, borderTop: 0, borderBottom: 0, height: 0 }
const folded = { height: 0, overflow: 'hidden', fontWeight: 'bold' } as const

/**
 * The cell by which a table learns the width of a column. The observer around all of them tells it as soon as the rows are
 * seen: measuring before that would lay the page out and draw the rows twice before anybody sees them.
 */
export default function MeasureCell({ columnKey, title }: Props) {
  return (
    <ResizeObserver data={columnKey}>
      <td style={thin}>
        <div style={folded}>{title || '\u00a0'}</div>
      </td>
    </ResizeObserver>
  )
}
