import { type ReactNode, Suspense } from 'react'
import { useAwaited } from '../providers/sign-in-again.ts'
import { lazyPart } from './lazy-page.ts'

const dialog = lazyPart(() => import('./SignInDialog.tsx'))

/** The sign-in before the window, while it waits for its person; nothing else of the time. */
export function SignInAgain(): ReactNode {
  const person = useAwaited()
  return (
    person && (
      <Suspense fallback={null}>
        <dialog.Component />
      </Suspense>
    )
  )
}
