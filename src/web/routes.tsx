import { Activity, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react'
import {
  type Location,
  matchPath,
  Navigate,
  Outlet,
  Route,
  Routes,
  useLocation,
  useNavigate,
  useParams,
} from 'react-router-dom'
import { useAbsence } from '../platform/http/browser/absent.ts'
import { isCandidate, session } from '../platform/http/browser/session.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { MadePages } from '../screens/may-open.ts'
import type { PageRoute } from '../screens/parts/route.ts'
import { leaveFor } from '../screens/providers/auth.ts'
import { useRights } from '../screens/providers/rights.ts'
import { useLocked } from '../screens/providers/use-locked.ts'
import { Absent } from '../screens/window/Absent.tsx'
import { ErrorBoundary } from '../screens/window/ErrorBoundary.tsx'
import { lazyPart, type Part } from '../screens/window/lazy-page.ts'
import { PageSkeleton } from '../screens/window/PageSkeleton.tsx'
import { HeadPlace, SubjectPlace } from '../screens/window/page-head.ts'
import { askFirstPage, type Screen, screenAt, useScreen } from '../screens/window/screens.ts'
import { useTitle } from '../screens/window/title.ts'
import { isPlace } from '../screens/workspace/place-route.ts'
import type { PlaceFrameProps } from '../screens/workspace/WorkspacePage.tsx'
import { candidatePages } from './candidate-routes.ts'
import { KeptPages } from './chrome/KeptPages.tsx'
import { chromePages } from './chrome/routes.ts'
import { visit } from './chrome/tab-list.ts'
import { useTargetWindow } from './chrome/target.ts'
import { Unreachable } from './chrome/Unreachable.tsx'
import { isShut, judge, LOCK, type Verdict } from './guard.ts'
import { pages } from './pages.ts'

const layouts = {
  staff: lazyPart(() => import('./chrome/StaffLayout.tsx')),
  candidate: lazyPart(() => import('./chrome/CandidateLayout.tsx')),
}
/** What generated lists need; the window of candidates has it only around pages that are not theirs alone. */
const backend = lazyPart(async () => ({ default: (await import('../screens/window/Backend.tsx')).Backend }))
const resourceScreen = lazyPart(() => import('../screens/ResourceScreen.tsx'))
const workspacePage = lazyPart(() => import('../screens/workspace/WorkspacePage.tsx'))

const all = [...pages, ...chromePages].map(page => ({ page, part: lazyPart(page.load) }))

function pagesOf(audience: 'staff' | 'candidate') {
  return all.filter(({ page }) => !page.audience || page.audience === audience)
}

const audienceHere = (): 'staff' | 'candidate' => (isCandidate(session.get()) ? 'candidate' : 'staff')

/**
 * Loads what the address needs, before anything is drawn. Failures show when it is drawn.
 * @param rows whether a list's first rows are asked for too: those that a query filters the list asks for itself
 */
export async function preload(path: string, { rows }: { rows: boolean }): Promise<void> {
  const audience = audienceHere()
  const found = pagesOf(audience).find(({ page }) => matchPath(page.path, path === '/' ? '/wel/index' : path))
  const wanted: (() => Promise<unknown>)[] = found ? [found.part.load] : []
  if (session.get() && found?.page.frame !== 'bare') wanted.push(layouts[audience].load)
  if (session.get() && audience === 'staff') {
    if (!found && isPlace(path)) wanted.push(workspacePage.load)
    else if (!found) wanted.push(() => screenAt(path), resourceScreen.load)
    if (rows && (!found || found.page.isList)) wanted.push(() => askFirstPage(path))
  }
  await Promise.allSettled(wanted.map(load => load()))
}

function useVerdict(
  page: Pick<PageRoute, 'access' | 'menu'> | undefined,
  screen?: boolean,
): { verdict: Verdict; failed: boolean } {
  const { pathname, search } = useLocation()
  const { rights, failed = false } = useRights()
  const who = session.get()
  const verdict = judge({
    address: pathname + search,
    path: pathname,
    signedIn: session.get() !== null,
    // The locked screen stands before all of them at once: they wait behind it as they are.
    locked: false,
    mustChange: [who?.detail?.mustChangePwd, who?.detail?.mustEnrol].some(owed => Number(owed ?? 0) === 1),
    page,
    tree: rights?.paths,
    screen,
  })
  return { verdict, failed }
}

/** Leads elsewhere; the sign-in page is a page of its own, outside this application. */
function Go({ to }: { to: string }): ReactNode {
  const isOutside = to.startsWith('/login')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (isOutside) leaveFor(to)
    // Who has gone on from here meanwhile is not fetched back.
    else if (pathname === window.location.pathname) void navigate(to, { replace: true })
  }, [isOutside, to, pathname, navigate])
  return <PageSkeleton />
}

/** A page is called what the person's menu calls it, and an embedded one after its entry there. */
function useName(title: string): string {
  const { pathname, search } = useLocation()
  const { routerPath } = useParams()
  const names = useRights().rights?.names
  return names?.get(pathname + search) ?? names?.get(pathname) ?? names?.get(routerPath ?? '') ?? title
}

interface ShownProps {
  title: string
  untabbed?: boolean
  group?: string
  hasOwnHeading?: boolean
  children: () => ReactNode
}

/** A visited page: title, tab, heading, and the component, drawn again when the language changes. */
function Shown(props: ShownProps): ReactNode {
  const { untabbed, group, hasOwnHeading = false, children } = props
  useT()
  const title = useName(props.title)
  const [subject, setSubject] = useState('')
  useTitle(title, subject)
  const Head = useContext(HeadPlace)
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (untabbed) return
    // The page is seen first, then its tab.
    const timer = setTimeout(visit, 0, { path: pathname, search, title, group })
    return () => clearTimeout(timer)
  }, [pathname, search, title, untabbed, group])
  const absence = useAbsence(pathname)
  if (absence === 'whole') return <Absent />
  return (
    <SubjectPlace value={setSubject}>
      {Head && <Head title={title} subject={subject} isOwn={hasOwnHeading} />}
      {absence === 'part' && <Absent of="part" />}
      {children()}
    </SubjectPlace>
  )
}

function Waiting({ failed }: { failed: boolean }): ReactNode {
  return failed ? <Unreachable /> : <PageSkeleton />
}

function PageAt({ page, part }: { page: PageRoute; part: Part<object> }): ReactNode {
  const { verdict, failed } = useVerdict(page)
  const { pathname } = useLocation()
  if (verdict === 'wait') return <Waiting failed={failed} />
  if (verdict !== 'show') return <Go to={verdict.to} />
  const isCandidatesOwn = Boolean(page.audience) || candidatePages.includes(page)
  const isGuest = audienceHere() === 'candidate' && session.get() !== null && !isCandidatesOwn && page.frame !== 'bare'
  return (
    <Shown
      title={page.title}
      untabbed={page.untabbed ?? page.frame === 'bare'}
      group={page.oneTab ? page.path : undefined}
      hasOwnHeading={page.heading === 'own'}
    >
      {() => (
        <Suspense fallback={<PageSkeleton />}>
          {isGuest ? (
            <backend.Component>
              <part.Component key={pathname} />
            </backend.Component>
          ) : (
            <part.Component key={pathname} />
          )}
        </Suspense>
      )}
    </Shown>
  )
}

function ScreenAt({ screen }: { screen: Screen }): ReactNode {
  return (
    <Shown title={screen.resource.title}>
      {() => (
        <Suspense fallback={<PageSkeleton />}>
          <resourceScreen.Component key={screen.path} resource={screen.resource} />
        </Suspense>
      )}
    </Shown>
  )
}

const staffPages = pagesOf('staff')
const madePages = staffPages.map(({ page }) => page)

const drawMade = (made: PageRoute): ReactNode => {
  const part = staffPages.find(({ page }) => page === made)?.part
  return part && <part.Component />
}

/** What a page of a workspace stands in: all of them share one tab, which is called after the row. */
function PlaceFrame({ menu, title, group, children }: PlaceFrameProps): ReactNode {
  const { verdict, failed } = useVerdict({ menu })
  if (verdict === 'wait') return <Waiting failed={failed} />
  if (verdict !== 'show') return <Go to={verdict.to} />
  return (
    <Shown title={title} group={group} hasOwnHeading>
      {() => children}
    </Shown>
  )
}

/** An address without a page made by hand: a workspace, a generated screen, or nothing. */
function Elsewhere(): ReactNode {
  const { pathname } = useLocation()
  if (audienceHere() === 'candidate' || !session.get() || !isPlace(pathname)) return <ScreenElsewhere />
  return (
    <workspacePage.Component
      key={pathname}
      path={pathname}
      made={madePages}
      draw={drawMade}
      frame={PlaceFrame}
      absent={<ScreenElsewhere />}
    />
  )
}

/** A generated screen, or nothing. */
function ScreenElsewhere(): ReactNode {
  const { pathname, state } = useLocation()
  const screen = useScreen(pathname)
  // A page for other people is known too: it is refused, or signed in for, and not missing.
  const isMade = all.some(({ page }) => matchPath(page.path, pathname))
  const { verdict, failed } = useVerdict(undefined, isMade || (screen === undefined ? undefined : screen !== null))
  if (verdict === 'wait') return <Waiting failed={failed} />
  // Whoever unlocks an address that leads nowhere gets the first page; while it was locked that was not known yet.
  const isFromLock = (state as { unlocked?: true } | null)?.unlocked === true
  if (verdict !== 'show') return <Go to={isFromLock && verdict.to === '/404' ? '/' : verdict.to} />
  if (!screen || audienceHere() === 'candidate') return <Go to="/404" />
  return <ScreenAt screen={screen} />
}

function Frame(): ReactNode {
  if (!session.get()) return <Outlet />
  const Layout = layouts[audienceHere()].Component
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Layout />
    </Suspense>
  )
}

type Pages = ReturnType<typeof pagesOf>

const routeOf = ({ page, part }: Pages[number]): ReactNode => (
  <Route key={page.path} path={page.path} element={<PageAt page={page} part={part} />} />
)

/** The pages inside the frame, at the address or where a kept page was left. */
function Framed({ pages: mine, location }: { pages: Pages; location?: Location }): ReactNode {
  return (
    <Routes location={location}>
      {mine.filter(({ page }) => page.frame !== 'bare').map(routeOf)}
      <Route path="*" element={<Elsewhere />} />
    </Routes>
  )
}

/** Staff have tabs, and every open one keeps its page. */
function Inside({ pages: mine }: { pages: Pages }): ReactNode {
  const draw = useCallback((location: Location) => <Framed pages={mine} location={location} />, [mine])
  if (!session.get() || audienceHere() === 'candidate') return <Framed pages={mine} />
  return (
    <MadePages value={madePages}>
      <KeptPages draw={draw} />
    </MadePages>
  )
}

/** The address inside the frame: while a bare page stands before it, the window stays as it was. */
function useBehind(isFront: boolean): Location | undefined {
  const here = useLocation()
  const [behind, set] = useState<Location>()
  const now = isFront ? behind : here
  if (now !== behind) set(now)
  return now
}

/** Whether there is something to come back to at an address: after an unknown one, unlocking leads home. */
function useIsSomewhere(path: string): boolean {
  const names = useRights().rights?.names
  if (/^\/(404|403|500)$/.test(path)) return false
  return !names || names.has(path) || all.some(({ page }) => matchPath(page.path, path))
}

/** Every address of the application, for the person who is signed in when the page is opened. */
export function AppRoutes(): ReactNode {
  const [mine] = useState(() => pagesOf(audienceHere()))
  const here = useLocation()
  const bare = mine.filter(({ page }) => page.frame === 'bare')
  const isFront = bare.some(({ page }) => matchPath(page.path, here.pathname))
  const behind = useBehind(isFront)
  const isShutOut = isShut({ locked: useLocked(), signedIn: session.get() !== null, path: here.pathname })
  const isSomewhere = useIsSomewhere(here.pathname)
  useTargetWindow()
  return (
    <>
      <Activity mode={isShutOut || isFront ? 'hidden' : 'visible'}>
        {behind && (
          <Routes location={behind}>
            <Route element={<Frame />}>
              <Route path="*" element={<Inside pages={mine} />} />
            </Route>
          </Routes>
        )}
      </Activity>
      {isShutOut && <Navigate to={LOCK} state={{ from: isSomewhere ? here.pathname + here.search : '/' }} replace />}
      {isFront && !isShutOut && (
        // What fails here must not take the window behind it along.
        <ErrorBoundary at={here.pathname}>
          <Routes>{bare.map(routeOf)}</Routes>
        </ErrorBoundary>
      )}
    </>
  )
}
