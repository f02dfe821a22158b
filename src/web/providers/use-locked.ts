import { useSyncExternalStore } from 'react'
import { LOCK_TOLD, lock } from '../lock.ts'

/** A tab that the browser had put to sleep may have missed what the others were told: it looks when it is seen again. */
function subscribe(listener: () => void): () => void {
  const heard = ({ key }: StorageEvent): void => {
    if (key === LOCK_TOLD || key === null) listener()
  }
  addEventListener('storage', heard)
  addEventListener(LOCK_TOLD, listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    removeEventListener('storage', heard)
    removeEventListener(LOCK_TOLD, listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Whether the screen is locked; drawn again when that changes, in this tab or another. */
export function useLocked(): boolean {
  return useSyncExternalStore(subscribe, lock.isOn)
}
