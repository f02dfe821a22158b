import { useEffect, useState } from 'react'

/** Milliseconds the server's clock is ahead of this device's. */
let ahead = 0

/** Milliseconds since 1970 of a time of the wire (`yyyy-MM-dd HH:mm:ss`, Asia/Shanghai, or ISO); NaN for none. */
export function timeOf(text: string | undefined): number {
  if (!text) return Number.NaN
  return Date.parse(text.includes('T') ? text : `${text.replace(' ', 'T')}+08:00`)
}

/** Learns the server's time from an answer: deadlines are the server's, whatever this device's clock says. */
export function keepTime(serverTime: string | undefined): void {
  const time = timeOf(serverTime)
  if (!Number.isNaN(time)) ahead = time - Date.now()
}

/** The server's time in milliseconds since 1970, as far as it is known. */
export const serverNow = (): number => Date.now() + ahead

/** The server's time, looked at again every `every` milliseconds. */
export function useServerNow(every = 1000): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
