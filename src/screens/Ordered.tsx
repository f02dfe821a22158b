import { lazy, type ReactNode, Suspense } from 'react'
import { callOf, type Resource } from '#engine'
import { call } from '../platform/http/browser/call.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { useMay } from './may.ts'
import { type Ordering, unordered } from './ordering.ts'
import { useArranging } from './use-arranging.ts'
import type { Rows, TableRow } from './use-rows.ts'

// Few lists are put into order by hand.
const DragHandle = lazy(async () => ({ default: (await import('./DragHandle.tsx')).DragHandle }))
const ArrangingStatus = lazy(async () => ({ default: (await import('./DragHandle.tsx')).ArrangingStatus }))

/** Pixels of the column of handles. */
const HANDLE = 48

/** Whether the rows shown can change places: by their own order, of one group, and for whoever may edit them. */
function isOrdered({ order }: Resource, { sorters }: Rows, rows: readonly TableRow[]): boolean {
  if (!order || rows.length < 2) return false
  const group = order.within
  const own = sorters.every(one => one.field === order.by && one.order === 'asc')
  return own && (!group || new Set(rows.map(row => row[group])).size === 1)
}

interface Props {
  resource: Resource
  table: Rows
  /** As they came. */
  rows: readonly TableRow[]
  /** Draws the table. */
  children: (ordering: Ordering) => ReactNode
}

/** A table whose rows people may put into order. */
export default function Ordered({ resource, table, rows, children }: Props): ReactNode {
  return children(useOrdering(resource, table, rows))
}

function useOrdering(resource: Resource, table: Rows, rows: readonly TableRow[]): Ordering {
  const t = useT()
  const may = useMay(resource)
  const arranging = useArranging(
    rows.map(row => idOf(resource, row)),
    async ids => {
      await call(callOf(resource, 'arrange'), { ids: ids.join(',') })
      await table.tableQuery.refetch()
    },
  )
  if (!may('edit') || !isOrdered(resource, table, rows)) return unordered(rows)
  const byId = new Map(rows.map(row => [idOf(resource, row), row]))
  const nameOf = (id: string): string => String(byId.get(id)?.[resource.entity.label] ?? '')
  return {
    rows: arranging.order.flatMap(id => [byId.get(id)].filter(row => row !== undefined)),
    columns: [
      {
        key: 'handle',
        title: t('顺序'),
        width: HANDLE + 16,
        fixed: 'left',
        render: (_value, row) => {
          const id = idOf(resource, row)
          return (
            <Suspense fallback={null}>
              <DragHandle arranging={arranging} id={id} name={nameOf(id)} />
            </Suspense>
          )
        },
      },
    ],
    className: row => (idOf(resource, row) === arranging.lifted ? 'lifted-row' : ''),
    status: (
      <Suspense fallback={null}>
        <ArrangingStatus arranging={arranging} nameOf={nameOf} />
      </Suspense>
    ),
  }
}
