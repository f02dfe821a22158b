import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { flatten, type MenuNode, useRights } from '../../screens/providers/rights.ts'
import { openingOf } from '../../screens/window/menu-path.ts'
import type { HeadProps } from '../../screens/window/page-head.ts'
import { isEntry, trailOf } from './menu-trail.ts'

/** Where a level of the way leads: a list to itself, a group to the first of its pages. */
function addressOf(node: MenuNode): string | undefined {
  const first = flatten([node]).find(one => isEntry(one) && !openingOf(one).isWindow)
  return first && openingOf(first).to
}

function Level({ node }: { node: MenuNode }): ReactNode {
  const t = useT()
  const to = addressOf(node)
  return <li>{to === undefined ? t(node.name) : <Link to={to}>{t(node.name)}</Link>}</li>
}

/** The heading of a page and the way to it, outside whatever the page consists of: module › list › page. */
export function PageHead({ title, subject, isOwn }: HeadProps): ReactNode {
  const t = useT()
  const { pathname, search } = useLocation()
  const trail = trailOf(useRights().rights?.routes ?? [], pathname, search)
  const entry = trail.at(-1)
  const isListed = entry !== undefined && openingOf(entry).to.split('?')[0] === pathname
  const above = isListed ? trail.slice(0, -1) : trail
  if (isOwn && above.length === 0) return null
  return (
    <div className="page-head">
      {above.length > 0 && (
        <nav aria-label={t('所在位置')}>
          <ol>
            {above.map(node => (
              <Level key={node.id} node={node} />
            ))}
            <li aria-current="page">{t(title)}</li>
          </ol>
        </nav>
      )}
      {!isOwn && <h1>{subject || t(title)}</h1>}
    </div>
  )
}
