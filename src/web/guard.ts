import type { PageRoute } from '../screens/parts/route.ts'
import { isListed } from '../screens/providers/rights.ts'

/** What is known when a path is opened. */
export interface Visit {
  /** Path and query. */
  readonly address: string
  readonly path: string
  readonly signedIn: boolean
  readonly locked: boolean
  /** True until a password given by somebody else has been changed, and a second factor that is owed set up. */
  readonly mustChange: boolean
  readonly page: Pick<PageRoute, 'access' | 'menu'> | undefined
  /** Paths of the person's menu tree; undefined while they are being asked for. */
  readonly tree: ReadonlySet<string> | undefined
  /** Without a page of one's own: true when the application has a screen there for somebody; undefined while that is not known. */
  readonly screen?: boolean
}

/** Show the page, wait for what is not known yet, or go elsewhere. */
export type Verdict = 'show' | 'wait' | { readonly to: string }

/** Where the locked screen is. */
export const LOCK = '/lock'
const HOME = '/wel/index'
/** Where somebody does what comes before anything else. */
const OWED = '/info/owed'
/** Addresses that mean the home page. */
const START: readonly string[] = ['/', '/wel']

/** Who is not signed in is asked to, unless there is nothing at the address for anybody. */
function signIn(visit: Visit): Verdict {
  const { page, screen, path } = visit
  if (!page && !START.includes(path) && !screen) return screen === undefined ? 'wait' : { to: '/404' }
  return { to: visit.address === '/' ? '/login' : `/login?${new URLSearchParams({ redirect: visit.address })}` }
}

function allowed(visit: Visit): Verdict {
  const { page, tree, screen, path } = visit
  if (page && page.access !== 'menu' && page.access !== undefined) return 'show'
  if (!page && screen === false) return { to: '/404' }
  if (!tree || (!page && screen === undefined)) return 'wait'
  return isListed(tree, page?.menu ?? path) ? 'show' : { to: '/403' }
}

/** True where the locked screen stands before every page. */
export function isShut({ locked, signedIn, path }: Pick<Visit, 'locked' | 'signedIn' | 'path'>): boolean {
  return locked && signedIn && path !== LOCK
}

/** The navigation guard of the specification, as a function of what is known. */
export function judge(visit: Visit): Verdict {
  if (isShut(visit)) return { to: LOCK }
  if (visit.page?.access === 'public') return 'show'
  if (!visit.signedIn) return signIn(visit)
  if (visit.mustChange && visit.path !== OWED && visit.path !== LOCK)
    return { to: START.includes(visit.path) ? OWED : `${OWED}?${new URLSearchParams({ redirect: visit.address })}` }
  if (START.includes(visit.path)) return { to: HOME }
  return allowed(visit)
}
