import type { PageRoute } from './pages/route.ts'

/** What is known when a path is opened. */
export interface Visit {
  /** Path and query. */
  readonly address: string
  readonly path: string
  readonly signedIn: boolean
  readonly locked: boolean
  /** True until a password given by somebody else has been changed, and a second factor that is owed set up. */
  readonly mustChange: boolean
  readonly page: PageRoute | undefined
  /** Paths of the person's menu tree; undefined while they are being asked for. */
  readonly tree: ReadonlySet<string> | undefined
  /** True when the path belongs to a generated screen; undefined while that is not known. */
  readonly screen?: boolean
}

/** Show the page, wait for what is not known yet, or go elsewhere. */
export type Verdict = 'show' | 'wait' | { readonly to: string }

const LOCK = '/lock'
const OWN = '/info/index'

/** Pages below a listed path belong to it: `/exam/examination/12` to `/exam/examination`. */
function listed(tree: ReadonlySet<string>, path: string): boolean {
  for (let part = path; part.length > 1; part = part.slice(0, part.lastIndexOf('/'))) if (tree.has(part)) return true
  return false
}

function signIn(visit: Visit): Verdict {
  return { to: visit.address === '/' ? '/login' : `/login?${new URLSearchParams({ redirect: visit.address })}` }
}

function allowed(visit: Visit): Verdict {
  const { page, tree, screen, path } = visit
  if (page && page.access !== 'menu' && page.access !== undefined) return 'show'
  if (!page && screen === false) return { to: '/404' }
  if (!tree || (!page && screen === undefined)) return 'wait'
  return listed(tree, page?.menu ?? path) ? 'show' : { to: '/403' }
}

/** The navigation guard of the specification, as a function of what is known. */
export function judge(visit: Visit): Verdict {
  if (visit.locked && visit.path !== LOCK && visit.signedIn) return { to: LOCK }
  if (visit.page?.access === 'public') return 'show'
  if (!visit.signedIn) return signIn(visit)
  if (visit.mustChange && visit.path !== OWN && visit.path !== LOCK) return { to: `${OWN}?tab=password` }
  if (visit.path === '/') return { to: '/wel/index' }
  return allowed(visit)
}
