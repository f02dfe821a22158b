import type { TableColumnType } from 'antd'
import { type Column, columnField, type Field, headingOf, type Kind, type Resource } from '#engine'
import { t } from '../platform/i18n/i18n.ts'
import type { RowButton } from './ActionButtons.tsx'
import { ListCell } from './ListCell.tsx'
import type { TableSettings } from './table-settings.ts'
import { textWidth } from './text-width.ts'
import type { TableRow } from './use-rows.ts'

/** Pixels a column of each kind takes unless the definition says otherwise. */
const widths: Readonly<Record<Kind, number>> = {
  text: 160,
  longText: 220,
  richText: 220,
  integer: 100,
  decimal: 100,
  money: 120,
  flag: 90,
  date: 120,
  dateTime: 124,
  dict: 130,
  dicts: 160,
  state: 110,
  ref: 170,
  refs: 180,
  region: 150,
  image: 88,
  file: 180,
  json: 180,
  sealed: 180,
  secret: 100,
}

const unsorted: readonly Kind[] = ['longText', 'richText', 'json', 'sealed', 'secret', 'image', 'file', 'refs', 'dicts']

/** Fields of the columns shown: the person's choice, else all that the definition does not fold away. */
export function shownColumns(resource: Resource, settings: TableSettings): readonly Column[] {
  const { columns } = settings
  return resource.columns.filter(column => (columns ? columns.includes(column.field) : !column.folded))
}

/** Label of a column in the language in use. */
export const columnTitle = (resource: Resource, name: string): string =>
  headingOf(resource, name)
    .map(part => t(part))
    .join(' · ')

/** Pixels of a heading with its padding and sort arrows. */
const titleWidth = (title: string): number => textWidth(title) + 56

/** Pixels that the longest word of a heading takes at least, with its padding and sort arrows; Chinese may break anywhere. */
const wordWidth = (title: string): number =>
  Math.max(0, ...[...title.matchAll(/[A-Za-z]+/g)].map(([word]) => textWidth(word) + 36))

/** Pixels the first column takes at least: it names the row. */
const FIRST = 180
/** Pixels of the name of an exam: those of one authority differ at their end. */
const EXAM = 240

const kindWidth = ({ kind, ref }: Field): number => (ref === 'examination' ? EXAM : widths[kind])

/** Pixels of a column: the person's choice, that of the definition where the words of its heading fit, or what its kind takes. */
export function columnWidth(resource: Resource, { field, width }: Column, { widths }: TableSettings, isFirst: boolean) {
  const shown = columnField(resource, field)
  const usual = shown ? kindWidth(shown) : 0
  const title = columnTitle(resource, field)
  const preset = width && Math.max(width, wordWidth(title))
  return widths?.[field] ?? preset ?? Math.max(usual, titleWidth(title), isFirst ? FIRST : 0)
}

const aligned: readonly Kind[] = ['integer', 'decimal', 'money']

/** What opens a row; nothing for one that is not opened. */
export type Opening = (row: TableRow) => RowButton | undefined

/** The columns as antd draws them; the first stays in view while the others scroll. */
export function columnsOf(
  resource: Resource,
  settings: TableSettings,
  order: ReadonlyMap<string, 'ascend' | 'descend'>,
  opening: Opening,
): TableColumnType<TableRow>[] {
  return shownColumns(resource, settings).flatMap((column, at) => {
    const field = columnField(resource, column.field)
    if (!field) return []
    const title = columnTitle(resource, column.field)
    const base: TableColumnType<TableRow> = {
      key: column.field,
      dataIndex: column.field,
      title,
      width: columnWidth(resource, column, settings, at === 0),
      fixed: column.fixed ?? (at === 0 ? 'left' : undefined),
      align: aligned.includes(field.kind) ? 'right' : undefined,
      ellipsis: true,
      render: (_value, row) => (
        <ListCell resource={resource} column={column} row={row} open={at === 0 ? opening(row) : undefined} />
      ),
    }
    const isWorkedOut = column.field in resource.derived && !resource.measured.includes(column.field)
    if (resource.tree || isWorkedOut || unsorted.includes(field.kind)) return [base]
    return [{ ...base, sorter: true, sortOrder: order.get(column.field) ?? null }]
  })
}
