import { Table, type TableProps, type TableRef } from 'antd'
import { useEffect, useRef } from 'react'

/** The box of a table that scrolls: the whole of it, or the rows below a head that stays. */
const SCROLLING = '.ant-table-body, .ant-table-content'

/** Makes a box a stop of the keyboard, with a name, for as long as it holds more than it shows. */
function mark(box: HTMLElement, label: string): void {
  const isWider = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight
  const wanted = { tabindex: '0', role: 'region', 'aria-label': label }
  for (const [name, value] of Object.entries(wanted)) {
    if (isWider) box.setAttribute(name, value)
    else box.removeAttribute(name)
  }
}

/** A table that scrolls by itself where it is wider than its place, with the arrow keys too. `label` says what it holds. */
export function WideTable<Row extends object>({ label, ...props }: TableProps<Row> & { label: string }) {
  const self = useRef<TableRef>(null)
  // antd takes another box when rows come or go.
  useEffect(() => {
    const box = self.current?.nativeElement.querySelector<HTMLElement>(SCROLLING)
    if (!box) return
    const watch = new ResizeObserver(() => mark(box, label))
    watch.observe(box)
    return () => watch.disconnect()
  })
  return <Table<Row> ref={self} {...props} />
}
