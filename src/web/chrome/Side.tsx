import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react'
import type { MenuNode } from '../../screens/providers/rights.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { PageSkeleton } from '../../screens/window/PageSkeleton.tsx'
import { Brand } from './Brand.tsx'
import { Sidebar } from './Sidebar.tsx'

const SideDrawer = lazy(() => loadPart(() => import('./SideDrawer.tsx')))

/** The menu's place: a column on a desk, a drawer on a small screen. Without `routes` they are still on their way. */
export function Side(props: {
  routes: readonly MenuNode[] | undefined
  folded: boolean
  onFold: () => void
  small: boolean
}): ReactNode {
  const { folded, onFold, small } = props
  // Dozens of entries, which take as long as a page does: what somebody came for is drawn before them.
  const routes = useDeferredValue(props.routes)
  const narrow = folded && !small
  const menu = (
    <>
      <Brand folded={narrow} />
      <div className="side-menu">
        {routes ? <Sidebar routes={routes} folded={narrow} onLeave={small ? onFold : undefined} /> : <PageSkeleton />}
      </div>
    </>
  )
  if (small)
    return (
      <Suspense fallback={null}>
        <SideDrawer open={!folded} onClose={onFold}>
          {menu}
        </SideDrawer>
      </Suspense>
    )
  return (
    <aside className="side" data-folded={folded || undefined}>
      {menu}
    </aside>
  )
}
