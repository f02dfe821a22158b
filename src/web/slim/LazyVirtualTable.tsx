import type { TableRef } from 'antd'
import { lazy, type RefAttributes, Suspense } from 'react'

const VirtualTable = lazy(() => import('antd/es/table/RcTable/VirtualTable'))

/** A table that draws only the rows in view: fetched by the first that is asked to. */
export default function LazyVirtualTable(props: RefAttributes<TableRef>) {
  return (
    <Suspense>
      <VirtualTable {...props} />
    </Suspense>
  )
}
