import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useMayOpen } from '../may-open.ts'

/** A name that leads where the thing is opened, for whoever may open that; others read it. */
export function MayLink({ to, children }: { to: string; children: ReactNode }): ReactNode {
  const mayOpen = useMayOpen()
  return to && mayOpen(to) ? <Link to={to}>{children}</Link> : <span>{children}</span>
}
