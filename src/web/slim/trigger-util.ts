import { useComposeRef as compose } from '@rc-component/util'
import { type Ref, type RefCallback, startTransition, useCallback } from 'react'

export * from '@rc-component/util'

/**
 * What opens something learns which element it opens it for, and is drawn anew for that. This can wait until the page has
 * been seen: learnt at once, it has React draw every one of them a second time before that.
 */
export function useComposeRef<T>(learn: RefCallback<T>, ...others: Ref<T>[]) {
  const later = useCallback((node: T | null) => startTransition(() => void learn(node)), [learn])
  return compose(later, ...others)
}
