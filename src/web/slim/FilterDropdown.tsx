import { type ComponentType, lazy, Suspense } from 'react'

const load = () => import('antd/es/table/hooks/useFilter/FilterDropdown')

const FilterDropdown = lazy(load as () => Promise<{ default: ComponentType<object> }>)

/** The filter menu in a table's heading, which brings a whole tree: fetched by the first column that has one. */
export default function LazyFilterDropdown(props: object) {
  return (
    <Suspense>
      <FilterDropdown {...props} />
    </Suspense>
  )
}

interface Filter {
  readonly value: unknown
  readonly children?: readonly Filter[]
}

/** The values of a tree of filters, parents first. */
export function flattenKeys(filters: readonly Filter[] = []): unknown[] {
  return filters.flatMap(({ value, children }) => [value, ...flattenKeys(children)])
}
