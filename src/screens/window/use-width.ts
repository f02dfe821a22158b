import { useSyncExternalStore } from 'react'

const small = matchMedia('(max-width: 767px)')

function subscribe(listener: () => void): () => void {
  small.addEventListener('change', listener)
  return () => small.removeEventListener('change', listener)
}

/** True while the window is narrower than 768 px. */
export const isSmall = (): boolean => small.matches

/** The same for components: they are drawn again when that changes. */
export function useSmall(): boolean {
  return useSyncExternalStore(subscribe, isSmall)
}
