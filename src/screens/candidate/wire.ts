/** A page of a list. */
export interface Page<T> {
  records: T[]
  total: number
  current: number
  size: number
}
