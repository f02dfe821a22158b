import { useNavigate } from 'react-router-dom'
import type { MenuNode } from '../providers/rights.ts'
import { isAnywhere } from '../workspace/current.ts'
import { loadPart } from './lazy-page.ts'

/** How a menu item opens: a page here, an embedded page, or a window of its own. */
export interface Opening {
  to: string
  isWindow: boolean
}

/** True for an address outside the application, or a page of its own (`.html`). No other scheme than http and https is one. */
export function isOutside(path: string): boolean {
  return /^https?:\/\//i.test(path) || /^(?![a-z][a-z\d+.-]*:|[\\/]{2}).*\.html(\?|#|$)/i.test(path)
}

/** Where a menu item leads. Only http and https leave the application; whatever else is no path stays here. */
export function openingOf(node: Pick<MenuNode, 'path' | 'code' | 'isOpen'>): Opening {
  const isWindow = node.code === 'data' || node.isOpen === 2
  // Two slashes would name another computer.
  if (!isOutside(node.path)) return { to: `/${node.path.replace(/^[\\/]+/, '')}`, isWindow }
  return isWindow ? { to: node.path, isWindow } : { to: `/myiframe/${encodeURIComponent(node.path)}`, isWindow }
}

/** Opens a menu item as {@link openingOf} says: in the place that the person was in last, where it has its page. */
export function useOpening(): (node: MenuNode) => void {
  const navigate = useNavigate()
  return node => {
    const { to, isWindow } = openingOf(node)
    if (isWindow) window.open(to, '_blank', 'noopener')
    else if (!isAnywhere()) void navigate(to)
    else
      loadPart(() => import('../workspace/way.ts'))
        .then(({ wayTo }) => wayTo(to))
        .catch(() => to)
        .then(way => void navigate(way))
  }
}
