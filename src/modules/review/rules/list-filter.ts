import type { ReviewFilter } from '../contract.ts'

/** Filters of a reviewer's list that are asked for by a key of a dictionary. */
const keyFilters = ['examine', 'reviewStatus', 'precheckLevel', 'again'] as const

/** What a reviewer's list may be narrowed by beside its stage and part; the contract has exactly these. */
export const filterNames = [
  'examId',
  'unit',
  'code',
  'type',
  'chip',
  'keyword',
  'name',
  'signNo',
  'idCard',
  ...keyFilters,
  'submitTime_dategt',
  'submitTime_datelt',
] as const

/** What a reviewer's list may be narrowed by. */
export type FilterName = (typeof filterNames)[number]

const isKey = (name: FilterName): boolean => (keyFilters as readonly FilterName[]).includes(name)

/** What of an address narrows a reviewer's list, in the form of the calls. */
export const filterOf = (params: URLSearchParams): ReviewFilter =>
  Object.fromEntries(
    filterNames.flatMap(name => {
      const value = params.get(name)
      return value ? [[name, isKey(name) ? Number(value) : value]] : []
    }),
  )
