import { EllipsisOutlined } from '@ant-design/icons'
import { type ReactNode, useState } from 'react'
import { NavLink } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { flatten, type MenuNode } from '../../screens/providers/rights.ts'
import { menuIcon } from '../../screens/window/icons.tsx'

/** Places in the bar of a phone; the last one opens the rest. */
const PLACES = 5

function Item({ node, onLeave }: { node: MenuNode; onLeave?: () => void }): ReactNode {
  const t = useT()
  return (
    <NavLink to={node.path} className="nav-item" onClick={onLeave}>
      {menuIcon(node.source, node.code)}
      <span>{t(node.name)}</span>
    </NavLink>
  )
}

/** The candidate's navigation: a bar at the bottom of a phone with four pages and the rest behind 更多, a row on a desk. */
export function CandidateNav({ routes }: { routes: readonly MenuNode[] }): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  const pages = flatten(routes).filter(node => !node.children?.length && node.path)
  const near = pages.length > PLACES ? pages.slice(0, PLACES - 1) : pages
  const far = pages.slice(near.length)
  const leave = (): void => setOpen(false)
  return (
    <nav className="nav" aria-label={t('主导航')} onKeyDown={event => event.key === 'Escape' && leave()}>
      {near.map(node => (
        <Item key={node.id} node={node} onLeave={leave} />
      ))}
      {far.length > 0 && (
        <button type="button" className="nav-item nav-more" aria-expanded={open} onClick={() => setOpen(!open)}>
          <EllipsisOutlined aria-hidden />
          <span>{t('更多')}</span>
        </button>
      )}
      {far.length > 0 && (
        <div className="nav-far" data-open={open || undefined}>
          {far.map(node => (
            <Item key={node.id} node={node} onLeave={leave} />
          ))}
        </div>
      )}
    </nav>
  )
}
