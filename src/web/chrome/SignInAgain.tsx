import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../screens/window/lazy-page.ts'
import { useAwaited } from './sign-in-again.ts'

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
