import type { checkLineShape, Wire } from '#engine'

/** One line of the list of what a step in an exam's life needs. */
export type CheckLine = Wire<typeof checkLineShape>

/** Where a thing is mended, beyond the page that its key names: a row of it, a field of that. */
interface Mend {
  row?: string | undefined
  field?: string | undefined
}

/** One line of such a list: what is asked, and what to do unless it is so. */
export const line = (key: string, label: string, ok: boolean, msg: string, { row, field }: Mend = {}): CheckLine => ({
  key,
  label,
  ok,
  msg: ok ? '' : msg,
  ...(!ok && row && { row }),
  ...(!ok && field && { field }),
})
