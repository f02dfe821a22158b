import type { Resource } from '#engine'
import type { TableSettings } from './table-settings.ts'
import './column-edges.css'

/** Pixels beside the edge of a heading within which it is taken. */
const NEAR = 6
/** Pixels of a column, at least and at most. */
export const [LEAST, MOST] = [60, 800] as const

/** A table whose columns have widths, and what takes new ones. */
interface Edges {
  readonly resource: Pick<Resource, 'columns'>
  readonly settings: TableSettings
  readonly onSettings: (settings: TableSettings) => void
  /** What the columns shown are called. */
  readonly keys: readonly unknown[]
  /** Headings before them. */
  readonly before: number
}

/** The field of the heading at a place of the row; undefined where its width is not to be changed. */
const fieldAt = ({ resource, keys, before }: Edges, at: number): string | undefined =>
  resource.columns.find(({ field }) => field === keys[at - before])?.field

const watched = new WeakMap<HTMLElement, { edges: Edges }>()

/** The heading whose right edge the pointer is at. */
function headingAt({ target, clientX }: PointerEvent, edges: Edges): HTMLTableCellElement | undefined {
  const over = (target as HTMLElement).closest('th')
  if (!over) return undefined
  const { left, right } = over.getBoundingClientRect()
  const before = over.previousElementSibling as HTMLTableCellElement | null
  const found = right - clientX <= NEAR ? over : clientX - left <= NEAR ? before : null
  return found && fieldAt(edges, found.cellIndex) ? found : undefined
}

/**
 * The pixels to give a column so that it is drawn as wide as wanted: a table that is narrower than its place shares what is left among
 * its columns by their widths.
 */
export function widthFor(wanted: number, { others, place }: { others: number; place: number }): number {
  const given = wanted + others >= place ? wanted : (wanted * others) / (place - wanted)
  return Math.round(Math.min(MOST, Math.max(LEAST, given)))
}

/** Follows the pointer until it is released; the column is drawn as wide as it will be. */
function drag(row: HTMLElement, heading: HTMLTableCellElement, begin: PointerEvent, edges: Edges): void {
  const table = heading.closest('table') as HTMLTableElement
  const col = table.querySelectorAll<HTMLElement>('colgroup > col')[heading.cellIndex]
  if (!col) return
  const first = { width: col.style.width, table: table.style.inlineSize }
  const others = [...table.querySelectorAll<HTMLElement>('colgroup > col')]
    .filter(one => one !== col)
    .reduce((sum, one) => sum + (Number.parseFloat(one.style.width) || one.offsetWidth), 0)
  const place = table.parentElement?.clientWidth ?? 0
  const wide = heading.offsetWidth
  let px: number | undefined
  const move = ({ clientX }: PointerEvent): void => {
    px = widthFor(wide + clientX - begin.clientX, { others, place })
    col.style.width = `${px}px`
    table.style.inlineSize = `${px + others}px`
  }
  const end = ({ type }: PointerEvent): void => {
    row.removeEventListener('pointermove', move)
    row.removeEventListener('pointerup', end)
    row.removeEventListener('pointercancel', end)
    const field = fieldAt(edges, heading.cellIndex)
    const { settings, onSettings } = edges
    table.style.inlineSize = first.table
    if (type === 'pointerup' && px !== undefined && field)
      onSettings({ ...settings, widths: { ...settings.widths, [field]: px } })
    else col.style.width = first.width
  }
  row.setPointerCapture(begin.pointerId)
  row.addEventListener('pointermove', move)
  row.addEventListener('pointerup', end)
  row.addEventListener('pointercancel', end)
}

/** Lets the edges of the headings in a row be dragged. The same row may be given again, with what is shown by then. */
export function watchEdges(row: HTMLElement, edges: Edges): void {
  const known = watched.get(row)
  if (known) {
    known.edges = edges
    return
  }
  const now = { edges }
  watched.set(row, now)
  row.addEventListener('pointermove', event => {
    if (event.buttons === 0) row.toggleAttribute('data-edge', headingAt(event, now.edges) !== undefined)
  })
  row.addEventListener('pointerdown', event => {
    const heading = headingAt(event, now.edges)
    if (!heading || event.button !== 0) return
    event.preventDefault()
    drag(row, heading, event, now.edges)
    // A heading that is pressed sorts; this one was not meant.
    const still = (click: Event): void => click.stopPropagation()
    row.addEventListener('click', still, { capture: true })
    addEventListener('pointerup', () => setTimeout(() => row.removeEventListener('click', still, { capture: true })), {
      once: true,
    })
  })
}
