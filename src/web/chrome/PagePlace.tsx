import { type ReactNode, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { ErrorBoundary } from '../../screens/window/ErrorBoundary.tsx'
import { PageSkeleton } from '../../screens/window/PageSkeleton.tsx'

/** Where the page stands in its window: what goes wrong with it leaves the rest alone. */
export function PagePlace(): ReactNode {
  const { pathname } = useLocation()
  return (
    <main id="main" className="page" tabIndex={-1}>
      <ErrorBoundary at={pathname}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  )
}
