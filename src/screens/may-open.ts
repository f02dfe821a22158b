import { createContext, use } from 'react'
import { matchPath } from 'react-router-dom'
import type { PageRoute } from './parts/route.ts'
import { isListed, useRights } from './providers/rights.ts'
import { PlaceContext } from './workspace/place.ts'
import { readPlace } from './workspace/place-route.ts'

/** The pages made by hand that the window has for the person. */
export const MadePages = createContext<readonly PageRoute[]>([])

/** Addresses that everybody may open. */
const PUBLIC = '/public/'

/**
 * Whether the person may open what is at an address, whose `:fields` stand for values: no button leads to a page that is refused. Which
 * pages a workspace has is known in it; elsewhere it is found out when one is opened.
 */
export function useMayOpen(): (address: string) => boolean {
  const { rights } = useRights()
  const made = use(MadePages)
  const place = use(PlaceContext)
  return address => {
    if (!rights) return false
    const [path = ''] = address.replace(/:[A-Za-z]\w*/g, '1').split('?')
    const page = made.find(one => matchPath(one.path, path))
    if (page?.access === 'signed-in' || path.startsWith(PUBLIC)) return true
    const found = page ? null : readPlace(path)
    if (!found) return isListed(rights.paths, page?.menu ?? path)
    const isHere = place?.workspace.name === found.listed.name
    return found.page === '' || !isHere || !place.open || place.open.has(found.page)
  }
}
