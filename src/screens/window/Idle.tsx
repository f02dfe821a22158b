import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** What can wait until the page around it has been seen, and gives way to whatever the person does meanwhile. */
export function Idle({ children }: { children: ReactNode }): ReactNode {
  const [isTime, setTime] = useState(false)
  useEffect(() => startTransition(() => setTime(true)), [])
  return isTime && children
}
