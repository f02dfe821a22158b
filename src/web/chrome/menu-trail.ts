import { matchPath } from 'react-router-dom'
import type { MenuNode } from '../../screens/providers/rights.ts'
import { openingOf } from '../../screens/window/menu-path.ts'
import { listOfPlace } from '../../screens/workspace/place-route.ts'
import { pages } from '../pages.ts'

/** True for an entry that opens something; others are groups. */
export const isEntry = (node: MenuNode): boolean => !node.children?.length

/** From the top of the menu to the first entry that fits; empty where none does. */
function wayTo(nodes: readonly MenuNode[], fits: (entry: MenuNode) => boolean): readonly MenuNode[] {
  for (const node of nodes) {
    if (isEntry(node) && fits(node)) return [node]
    const below = wayTo(node.children ?? [], fits)
    if (below.length) return [node, ...below]
  }
  return []
}

/** Addresses under which the menu may list a page, the nearest first. */
function* listedAs(pathname: string, search: string): Generator<string> {
  yield pathname + search
  yield pathname
  for (const { path, menu } of pages) if (menu && matchPath(path, pathname)) yield menu
  const list = listOfPlace(pathname)
  if (list) yield list
  for (let part = pathname; part.length > 1; part = part.slice(0, part.lastIndexOf('/'))) yield part
}

/**
 * Where a page belongs in the menu: the groups above its entry, outermost first, and the entry. A page that the menu does not
 * list belongs to the entry that its route names, or to the one above its address.
 * @param search the query with its question mark, or empty
 */
export function trailOf(routes: readonly MenuNode[], pathname: string, search = ''): readonly MenuNode[] {
  for (const address of listedAs(pathname, search)) {
    const trail = wayTo(routes, entry => entry.path === address || openingOf(entry).to === address)
    if (trail.length) return trail
  }
  return wayTo(routes, entry => entry.path.split('?')[0] === pathname)
}
