import { useSyncExternalStore } from 'react'
import { LOCK_TOLD, lock } from '../../platform/http/browser/lock.ts'

/** Milliseconds between two looks at a cookie that is on its way, and after which it is not looked for any more. */
const [STEP, PATIENCE] = [50, 10_000]

/** A tab that the browser had put to sleep may have missed what the others were told: it looks when it is seen again. */
function subscribe(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (told: string | null, until: number): void => {
    clearTimeout(timer)
    listener()
    if (lock.isBehind(told) && Date.now() < until) timer = setTimeout(look, STEP, told, until)
  }
  const heard = ({ key, newValue }: StorageEvent): void => {
    if (key === LOCK_TOLD || key === null) look(newValue, Date.now() + PATIENCE)
  }
  addEventListener('storage', heard)
  addEventListener(LOCK_TOLD, listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    clearTimeout(timer)
    removeEventListener('storage', heard)
    removeEventListener(LOCK_TOLD, listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Whether the screen is locked; drawn again when that changes, in this tab or another. */
export function useLocked(): boolean {
  return useSyncExternalStore(subscribe, lock.isOn)
}
