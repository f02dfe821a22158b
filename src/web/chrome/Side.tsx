import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../i18n.ts'
import type { MenuNode } from '../providers/rights.ts'
import { Brand } from './Brand.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Sidebar } from './Sidebar.tsx'

/** The menu's place: a column on a desk, a drawer on a small screen. Without `routes` they are still on their way. */
export function Side(props: {
  routes: readonly MenuNode[] | undefined
  folded: boolean
  onFold: () => void
  small: boolean
}): ReactNode {
  const { routes, folded, onFold, small } = props
  const t = useT()
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
      <Drawer
        rootClassName="side-drawer"
        open={!folded}
        onClose={onFold}
        placement="left"
        size={264}
        closable={false}
        aria-label={t('菜单')}
      >
        <div className="side">{menu}</div>
      </Drawer>
    )
  return (
    <aside className="side" data-folded={folded || undefined}>
      {menu}
    </aside>
  )
}
