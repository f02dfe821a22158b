import { useSyncExternalStore } from 'react'

const small = matchMedia('(max-width: 767px)')

function subscribe(listener: () => void): () => void {
  small.addEventListener('change', listener)
  return () => small.removeEventListener('change', listener)
}

/** True on a window narrower than 768 px. */
export function useSmall(): boolean {
  return useSyncExternalStore(subscribe, () => small.matches)
}
