import { mapAntdSorterToCrudSorting } from '@refinedev/antd'
import type { TableProps } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { columnsOf, type Opening } from './columns.tsx'
import { type Ordering, unordered } from './ordering.ts'
import { usePaging } from './paging.tsx'
import type { TableSettings } from './table-settings.ts'
import { useLazyTree } from './use-lazy-tree.ts'
import type { Rows, TableRow } from './use-rows.ts'
import { useTotals } from './use-totals.ts'
import { SELECTION, WideTable } from './WideTable.tsx'
import { lazyPart } from './window/lazy-page.ts'
import { PageSkeleton } from './window/PageSkeleton.tsx'
import { useSmall } from './window/use-width.ts'

/** Lets a page change the columns of a generated table. */
export type ChangeColumns = (
  columns: NonNullable<TableProps<TableRow>['columns']>,
) => NonNullable<TableProps<TableRow>['columns']>

interface Props {
  resource: Resource
  table: Rows
  settings: TableSettings
  onSettings: (settings: TableSettings) => void
  /** Ids of the chosen rows; missing where nothing is done with several rows. */
  chosen: readonly string[] | undefined
  onChoose: (ids: readonly string[]) => void
  /** Buttons at a row. */
  buttons: (row: TableRow) => ReactNode
  /** Pixels of their column. */
  room: number
  /** What opens a row. */
  opening: Opening
  /** What stands where there are no rows. */
  empty: ReactNode
  columns?: ChangeColumns
  /** A row is chosen as a whole, such as the parent of other rows. */
  onRow?: (row: TableRow) => void
  current?: string
}

function orderOf({ sorters }: Rows): ReadonlyMap<string, 'ascend' | 'descend'> {
  return new Map(sorters.map(({ field, order }) => [field, order === 'asc' ? 'ascend' : 'descend'] as const))
}

function useTablePaging(table: Rows): TableProps<TableRow>['pagination'] {
  const t = useT()
  const paging = usePaging()
  return {
    ...paging,
    current: table.currentPage,
    pageSize: table.pageSize,
    total: table.result.total ?? 0,
    // Where the window is small there are cards.
    responsive: false,
    showTotal: total => t('共 {{total}} 条', { total }),
    onChange: (page, size) => {
      // Another size means another set of pages: it begins at the first.
      table.setCurrentPage(size === table.pageSize ? page : 1)
      table.setPageSize(size)
    },
  }
}

/** What makes rows of a table choosable with the mouse and the keyboard alike. */
function rowProps(
  { resource, onRow, current }: Props,
  { className }: Ordering,
): Pick<TableProps<TableRow>, 'onRow' | 'rowClassName'> {
  if (!onRow) return { rowClassName: className }
  return {
    rowClassName: row => `${idOf(resource, row) === current ? 'chosen-row' : ''} ${className(row)}`.trim(),
    onRow: row => ({
      tabIndex: 0,
      'aria-selected': idOf(resource, row) === current,
      style: { cursor: 'pointer' },
      onClick: () => onRow(row),
      onKeyDown: event => event.key === 'Enter' && event.target === event.currentTarget && onRow(row),
    }),
  }
}

// Few lists are put into order by hand.
const Ordered = lazy(() => import('./Ordered.tsx'))
const TotalsRow = lazy(async () => ({ default: (await import('./Totals.tsx')).TotalsRow }))
// A desk has no use for cards.
const rowCards = lazyPart(async () => ({ default: (await import('./RowCards.tsx')).RowCards }))

/** The rows of a list: a table on a desk, cards on a phone. */
export function DataTable(props: Props) {
  const {
    resource,
    table,
    settings,
    onSettings,
    chosen,
    onChoose,
    buttons,
    opening,
    room,
    empty,
    columns: change,
  } = props
  const t = useT()
  const small = useSmall()
  const { rows, open } = useLazyTree(resource, table.result.data)
  const totals = useTotals(resource, table)
  const paging = useTablePaging(table)
  const { isPending, isFetching } = table.tableQuery
  if (isPending) return <PageSkeleton />
  if (rows.length === 0) return empty
  if (small)
    return (
      <rowCards.Component
        resource={resource}
        table={table}
        rows={rows}
        settings={settings}
        chosen={chosen}
        onChoose={onChoose}
        buttons={buttons}
        opening={opening}
        totals={totals}
      />
    )
  const own = columnsOf(resource, settings, orderOf(table), opening)
  const last = {
    key: 'buttons',
    title: t('操作'),
    width: room,
    fixed: 'right' as const,
    render: (_: unknown, row: TableRow) => buttons(row),
  }
  const draw = (ordering: Ordering): ReactNode => {
    const shown = [...ordering.columns, ...(change ? change(own) : own), last]
    // Columns keep their widths and cut what is longer; a wider window shares what is left among them.
    const width = shown.reduce((sum, column) => sum + (Number(column.width) || 0), chosen ? SELECTION : 0)
    const edges = { resource, settings, onSettings, keys: shown.map(({ key }) => key), before: chosen ? 1 : 0 }
    return (
      <>
        {ordering.status}
        <WideTable<TableRow>
          label={t(resource.title)}
          {...rowProps(props, ordering)}
          rowKey={row => idOf(resource, row)}
          size={settings.density}
          loading={isFetching}
          dataSource={[...ordering.rows]}
          columns={shown}
          width={width}
          // Few widths are changed: what changes them comes with the pointer.
          onHeaderRow={() => ({
            onPointerEnter: ({ currentTarget }) =>
              void import('./column-edges.ts').then(({ watchEdges }) => watchEdges(currentTarget, edges)),
          })}
          showSorterTooltip={false}
          summary={
            totals &&
            (() => (
              <Suspense fallback={null}>
                <TotalsRow resource={resource} totals={totals} columns={shown} chosen={chosen !== undefined} />
              </Suspense>
            ))
          }
          pagination={resource.tree ? false : paging}
          expandable={open ? { onExpand: (expanded, row) => void (expanded && open(row)) } : undefined}
          rowSelection={
            chosen && {
              selectedRowKeys: [...chosen],
              onChange: keys => onChoose(keys.map(String)),
              preserveSelectedRowKeys: true,
              fixed: true,
            }
          }
          onChange={(_page, _filters, sorter, { action }) => {
            if (action === 'sort') table.setSorters(mapAntdSorterToCrudSorting(sorter))
          }}
        />
      </>
    )
  }
  const plain = draw(unordered(rows))
  if (!resource.order) return plain
  return (
    <Suspense fallback={plain}>
      <Ordered resource={resource} table={table} rows={rows}>
        {draw}
      </Ordered>
    </Suspense>
  )
}
