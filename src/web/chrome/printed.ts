import { useEffect } from 'react'
import { serverNow } from '../../platform/http/browser/clock.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { useSession } from '../../screens/providers/use-session.ts'

// Written as on the wire: 2026-11-28 13:05.
const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Asia/Shanghai' })

/** Says on what is printed who printed it, and when. */
export function usePrinted(): void {
  const t = useT()
  const name = useSession()?.real_name
  useEffect(() => {
    const tell = (): void => {
      document.body.dataset.printed = t('{{name}} 打印于 {{time}}', { name, time: clock.format(serverNow()) })
    }
    addEventListener('beforeprint', tell)
    return () => removeEventListener('beforeprint', tell)
  }, [t, name])
}
