import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { UNREACHED } from '../../platform/http/browser/http.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { useWaiting } from './Waiting.tsx'
import './offline.css'

/** Milliseconds after which the server is looked for again. */
const AGAIN = 4000

/** A call did not reach the server, and nothing has been heard of it since. */
let isUnreached = false
const listeners = new Set<() => void>()

function tell(next: boolean): void {
  isUnreached = next
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void): () => void {
  const fail = (): void => tell(true)
  const back = (): void => tell(false)
  listeners.add(changed)
  addEventListener(UNREACHED, fail)
  addEventListener('online', back)
  addEventListener('offline', changed)
  return () => {
    listeners.delete(changed)
    removeEventListener(UNREACHED, fail)
    removeEventListener('online', back)
    removeEventListener('offline', changed)
  }
}

/**
 * Says at once when the device has lost its network, or a call did not come through although it seems to have one, until the
 * server is back; and that calls are tried again, while they are.
 */
export function Offline(): ReactNode {
  const t = useT()
  const waits = useWaiting()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine && !isUnreached)
  useEffect(() => {
    if (isOnline) return
    const timer = setInterval(() => {
      // Any answer is one: what counts is that something has come back.
      fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
        () => tell(false),
        () => undefined,
      )
    }, AGAIN)
    return () => clearInterval(timer)
  }, [isOnline])
  return (
    <p className={isOnline ? 'waiting' : 'waiting offline'} role="status">
      {isOnline ? waits : t('网络已断开，恢复后自动继续')}
    </p>
  )
}
