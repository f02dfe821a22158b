import { type ReactNode, useSyncExternalStore } from 'react'
import { isWaiting, WAITING } from '../../platform/http/browser/http.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import './waiting.css'

function subscribe(changed: () => void): () => void {
  addEventListener(WAITING, changed)
  return () => removeEventListener(WAITING, changed)
}

/** That calls are tried again, in words, while they are. */
export function useWaiting(): string | false {
  const t = useT()
  return useSyncExternalStore(subscribe, isWaiting) && t('系统繁忙，正在自动重试')
}

/** Says that calls are tried again, while they are. */
export const Waiting = (): ReactNode => (
  <p className="waiting" role="status">
    {useWaiting()}
  </p>
)
