import { useEffect, useState } from 'react'
import { serverNow } from '../../platform/http/browser/clock.ts'

/** The server's time, looked at again every `every` milliseconds. */
export function useServerNow(every = 1000): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
