import { useEffect } from 'react'
import { serverNow } from '../../platform/http/browser/clock.ts'
import { useSession } from '../../screens/providers/use-session.ts'

/** As on the wire, without seconds: 2026-11-28 13:05. */
const clock = (): string => new Date(serverNow()).toLocaleString('sv', { timeZone: 'Asia/Shanghai' }).slice(0, 16)

/** Says on what is printed who printed it, and when. */
export function usePrinted(): void {
  const name = useSession()?.real_name
  useEffect(() => {
    window.onbeforeprint = () => {
      document.body.dataset.printed = `${name} ${clock()}`
    }
  }, [name])
}
