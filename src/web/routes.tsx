import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { matchPath, Navigate, Outlet, Route, Routes, useLocation } from 'react-router-dom'
import { lazyPart, type Part } from './chrome/lazy-page.ts'
import { PageSkeleton } from './chrome/PageSkeleton.tsx'
import { chromePages } from './chrome/routes.ts'
import { type Screen, screenAt, useScreen } from './chrome/screens.ts'
import { visit } from './chrome/tab-list.ts'
import { useTargetWindow } from './chrome/target.ts'
import { useTitle } from './chrome/title.ts'
import { Unreachable } from './chrome/Unreachable.tsx'
import { judge, type Verdict } from './guard.ts'
import { useT } from './i18n.ts'
import { lock } from './lock.ts'
import { pages } from './pages/index.ts'
import type { PageRoute } from './pages/route.ts'
import { leaveFor } from './providers/auth.ts'
import { useRights } from './providers/rights.ts'
import { isCandidate, session } from './session.ts'

const layouts = {
  staff: lazyPart(() => import('./chrome/StaffLayout.tsx')),
  candidate: lazyPart(() => import('./chrome/CandidateLayout.tsx')),
}
const resourceScreen = lazyPart(() => import('./screens/ResourceScreen.tsx'))

const all = [...pages, ...chromePages].map(page => ({ page, part: lazyPart(page.load) }))

function pagesOf(audience: 'staff' | 'candidate') {
  return all.filter(({ page }) => !page.audience || page.audience === audience)
}

const audienceHere = (): 'staff' | 'candidate' => (isCandidate(session.get()) ? 'candidate' : 'staff')

/** Loads what the address needs, before anything is drawn. Failures show when it is drawn. */
export async function preload(path: string): Promise<void> {
  const audience = audienceHere()
  const found = pagesOf(audience).find(({ page }) => matchPath(page.path, path === '/' ? '/wel/index' : path))
  const wanted: (() => Promise<unknown>)[] = found ? [found.part.load] : []
  if (session.token() && found?.page.frame !== 'bare') wanted.push(layouts[audience].load)
  if (session.token() && !found && audience === 'staff') wanted.push(() => screenAt(path), resourceScreen.load)
  await Promise.allSettled(wanted.map(load => load()))
}

function useVerdict(page: PageRoute | undefined, screen?: boolean): { verdict: Verdict; failed: boolean } {
  const { pathname, search } = useLocation()
  const { rights, failed = false } = useRights()
  const who = session.get()
  const verdict = judge({
    address: pathname + search,
    path: pathname,
    signedIn: session.token() !== '',
    locked: lock.isOn(),
    mustChange: [who?.detail?.mustChangePwd, who?.detail?.mustEnrol].some(owed => Number(owed ?? 0) === 1),
    page,
    tree: rights && new Set(rights.names.keys()),
    screen,
  })
  return { verdict, failed }
}

/** Leads elsewhere; the sign-in page is a page of its own, outside this application. */
function Go({ to }: { to: string }): ReactNode {
  const isOutside = to.startsWith('/login')
  useEffect(() => {
    if (isOutside) leaveFor(to)
  }, [isOutside, to])
  return isOutside ? <PageSkeleton /> : <Navigate to={to} replace />
}

/** A visited page: title, tab, and the component, drawn again when the language changes. */
function Shown({
  title,
  untabbed,
  children,
}: {
  title: string
  untabbed?: boolean
  children: () => ReactNode
}): ReactNode {
  useT()
  useTitle(title)
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (!untabbed) visit({ path: pathname, search, title })
  }, [pathname, search, title, untabbed])
  return children()
}

function Waiting({ failed }: { failed: boolean }): ReactNode {
  return failed ? <Unreachable /> : <PageSkeleton />
}

function PageAt({ page, part }: { page: PageRoute; part: Part<object> }): ReactNode {
  const { verdict, failed } = useVerdict(page)
  const { pathname } = useLocation()
  if (verdict === 'wait') return <Waiting failed={failed} />
  if (verdict !== 'show') return <Go to={verdict.to} />
  return (
    <Shown title={page.title} untabbed={page.untabbed ?? page.frame === 'bare'}>
      {() => (
        <Suspense fallback={<PageSkeleton />}>
          <part.Component key={pathname} />
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

/** An address without a page made by hand: a generated screen, or nothing. */
function Elsewhere(): ReactNode {
  const { pathname } = useLocation()
  const screen = useScreen(pathname)
  const { verdict, failed } = useVerdict(undefined, screen === undefined ? undefined : screen !== null)
  if (verdict === 'wait') return <Waiting failed={failed} />
  if (verdict !== 'show') return <Go to={verdict.to} />
  if (!screen || audienceHere() === 'candidate') return <Go to="/404" />
  return <ScreenAt screen={screen} />
}

function Frame(): ReactNode {
  if (!session.token()) return <Outlet />
  const Layout = layouts[audienceHere()].Component
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Layout />
    </Suspense>
  )
}

/** Every address of the application, for the person who is signed in when the page is opened. */
export function AppRoutes(): ReactNode {
  const [mine] = useState(() => pagesOf(audienceHere()))
  useTargetWindow()
  const route = ({ page, part }: (typeof mine)[number]): ReactNode => (
    <Route key={page.path} path={page.path} element={<PageAt page={page} part={part} />} />
  )
  return (
    <Routes>
      {mine.filter(({ page }) => page.frame === 'bare').map(route)}
      <Route element={<Frame />}>
        {mine.filter(({ page }) => page.frame !== 'bare').map(route)}
        <Route path="*" element={<Elsewhere />} />
      </Route>
    </Routes>
  )
}
