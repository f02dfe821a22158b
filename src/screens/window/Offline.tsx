import { type ReactNode, useSyncExternalStore } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Says at once when the device has lost its network, until it is back. */
export function Offline(): ReactNode {
  const t = useT()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <p className="offline" role="status">
      {!isOnline && t('网络已断开，恢复后自动继续')}
    </p>
  )
}
