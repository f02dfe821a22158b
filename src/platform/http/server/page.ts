/** Part of a list and how it is sent. */
export interface Page<T> {
  records: T[]
  total: number
  size: number
  current: number
  pages: number
}

/** Where a page begins. `size` is at most 200. */
export function pageOf(query: { current?: number | undefined; size?: number | undefined }): {
  current: number
  size: number
  offset: number
} {
  const size = Math.min(Math.max(query.size || 10, 1), 200)
  const current = Math.max(query.current ?? 1, 1)
  return { current, size, offset: (current - 1) * size }
}

/** A page of records. */
export const page = <T>(
  records: T[],
  total: number,
  { current, size }: { current: number; size: number },
): Page<T> => ({
  records,
  total,
  size,
  current,
  pages: Math.ceil(total / size),
})
