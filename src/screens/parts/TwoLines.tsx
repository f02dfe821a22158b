import type { ReactNode } from 'react'
import '../list-cell.css'

/** What a cell says, and small and quiet below it what belongs to it. */
export const TwoLines = ({ children, below }: { children: ReactNode; below: ReactNode }) => (
  <span className="list-cell">
    <span>{children}</span>
    <small>{below}</small>
  </span>
)
