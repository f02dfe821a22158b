import type { ReviewFilter } from '../contract.ts'
import { filterNames, isKeyFilter } from '../rules/list-filter.ts'

/** What of an address narrows a reviewer's list, in the form of the calls. */
export const filterOf = (params: URLSearchParams): ReviewFilter =>
  Object.fromEntries(
    filterNames.flatMap(name => {
      const value = params.get(name)
      return value ? [[name, isKeyFilter(name) ? Number(value) : value]] : []
    }),
  )
