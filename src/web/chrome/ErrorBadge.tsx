import { Badge } from 'antd'
import type { ReactNode } from 'react'

/** Entries shown in the badge at most. */
const COUNTED = 99

/** How many errors this window has met, at the button that lists them. */
export default function ErrorBadge({ count, children }: { count: number; children: ReactNode }): ReactNode {
  return (
    <Badge count={count} overflowCount={COUNTED} size="small" offset={[-6, 6]}>
      {children}
    </Badge>
  )
}
