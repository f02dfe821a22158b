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

/** Whether a filter is a key of a dictionary. */
export const isKeyFilter = (name: FilterName): boolean => (keyFilters as readonly FilterName[]).includes(name)
