import type { MenuNode } from '../providers/rights.ts'

/** How a menu item opens: a page here, an embedded page, or a window of its own. */
export interface Opening {
  to: string
  isWindow: boolean
}

/** True for an address outside the application, or a page of its own (`.html`). */
export function isOutside(path: string): boolean {
  return /^https?:\/\//i.test(path) || /\.html(\?|#|$)/i.test(path)
}

/** Where a menu item leads. Only http and https leave the application; whatever else is no path stays here. */
export function openingOf(node: Pick<MenuNode, 'path' | 'code' | 'isOpen'>): Opening {
  const isWindow = node.code === 'data' || node.isOpen === 2
  if (!isOutside(node.path)) return { to: node.path.startsWith('/') ? node.path : `/${node.path}`, isWindow }
  return isWindow ? { to: node.path, isWindow } : { to: `/myiframe/${encodeURIComponent(node.path)}`, isWindow }
}
