import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import type { MenuNode } from '../../screens/providers/rights.ts'
import { menuIcon } from '../../screens/window/icons.tsx'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { PageSkeleton } from '../../screens/window/PageSkeleton.tsx'
import { useMet } from '../../screens/window/use-met.ts'
import { Brand } from './Brand.tsx'
import { Sidebar } from './Sidebar.tsx'
import { HOME } from './tab-list.ts'

/** How much waits comes with the pointer or the keys. */
const TodoCount = lazy(() => loadPart(() => import('./TodoCount.tsx')))
const SideDrawer = lazy(() => loadPart(() => import('./SideDrawer.tsx')))

/** The way to what waits for this person, and how much that is. */
function MyTodos({ folded, onGo }: { folded: boolean; onGo: (() => void) | undefined }): ReactNode {
  const name = useT()('我的待办')
  // A drawer is there because somebody has opened it.
  const isMet = useMet(onGo !== undefined)
  return (
    <Link to={HOME.path} className="side-todos" title={folded ? name : undefined} onClick={onGo}>
      {menuIcon('todo')}
      <span className={folded ? 'heard-only' : undefined}>{name}</span>
      <Suspense>{isMet && <TodoCount />}</Suspense>
    </Link>
  )
}

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
  const leave = small ? onFold : undefined
  const menu = (
    <>
      <Brand folded={narrow} />
      <MyTodos folded={narrow} onGo={leave} />
      <div className="side-menu">
        {routes ? <Sidebar routes={routes} folded={narrow} onLeave={leave} /> : <PageSkeleton />}
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
