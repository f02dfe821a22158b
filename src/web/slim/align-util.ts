import { type DependencyList, useLayoutEffect as run, useRef } from 'react'

export * from '@rc-component/util'

/** The place of what opens is forgotten when it closes or is to stand elsewhere; at first there is none to forget. */
export function useLayoutEffect(forget: () => void, changed?: DependencyList): void {
  const isNew = useRef(true)
  run(() => {
    if (!isNew.current) forget()
    isNew.current = false
  }, changed)
}
