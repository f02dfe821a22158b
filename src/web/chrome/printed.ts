import { useEffect } from 'react'
import { wireTime } from '../../platform/http/browser/clock.ts'
import { useSession } from '../../screens/providers/use-session.ts'

/** Says on what is printed who printed it, and when. */
export function usePrinted(): void {
  const name = useSession()?.real_name
  useEffect(() => {
    window.onbeforeprint = () => {
      document.body.dataset.printed = `${name ?? ''} ${wireTime().slice(0, 16)}`
    }
  }, [name])
}
