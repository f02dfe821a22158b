import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { CellProps } from './props.ts'

/** Pages that show what a file belongs to, by the kind of its owner. */
const pages: Readonly<Record<string, string>> = {
  signup: '/examine/info/',
  photo: '/examine/info/',
  notice: '/notice/preview/',
}

/** The number of what a file belongs to, leading there where it has a page; who may not see it is told so there. */
export function OwnerLink({ value, row }: CellProps): ReactNode {
  const page = pages[String(row.ownerType)]
  const id = String(value)
  return page ? <Link to={`${page}${id}`}>{id}</Link> : id
}
