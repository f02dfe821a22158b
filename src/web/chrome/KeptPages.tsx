import { Provider as MotionProvider } from '@rc-component/motion'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Activity, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'
import { ErrorBoundary } from '../../screens/window/ErrorBoundary.tsx'
import { type Held, hold } from '../../screens/window/held-data.ts'
import { type KeptPage, keep } from '../../screens/window/kept-pages.ts'
import { useTabs } from './tab-list.ts'

/** What hidden pages showed, by page. */
type Holds = Map<string, Held>

const keyOf = ({ path, turn }: KeptPage): string => `${path} ${turn}`

/** How far down the window is. Asking the window for it in the middle of a change would lay the whole page out for that. */
let scrolled = 0
addEventListener('scroll', () => (scrolled = window.scrollY), { passive: true })

/** A page remembers its rows and how far down it was when it is hidden, and stands there again. */
function useComingBack(key: string, holds: Holds, client: QueryClient): void {
  const top = useRef(0)
  useLayoutEffect(() => {
    if (scrolled !== top.current) window.scrollTo(0, top.current)
    return () => {
      top.current = scrolled
      holds.set(key, hold(client))
    }
  }, [key, holds, client])
  // The effects of what stands inside have run: it uses its data again.
  useEffect(() => {
    holds.get(key)?.release()
    holds.delete(key)
  }, [key, holds])
}

function ComingBack(props: { of: string; holds: Holds; children: ReactNode }): ReactNode {
  useComingBack(props.of, props.holds, useQueryClient())
  return props.children
}

function useKept(): { kept: readonly KeptPage[]; here: string } {
  const here = useLocation()
  const navigate = useNavigate()
  const open = new Set(useTabs().map(tab => tab.path))
  const [before, set] = useState<readonly KeptPage[]>([])
  const kept = keep(before, here, open)
  if (kept !== before) set(kept)
  const left = kept.find(page => page.path === here.pathname)?.location ?? here
  // The address tells what is shown: a page opened without its query gets back the one it was left with.
  useLayoutEffect(() => {
    if (left.search !== here.search) void navigate(left, { replace: true })
  }, [left, here, navigate])
  return { kept, here: here.pathname }
}

type Draw = (location: Location) => ReactNode

interface PageProps {
  page: KeptPage
  isShown: boolean
  draw: Draw
  holds: Holds
}

/**
 * Without motion: what moves in begins empty each time its page is shown again, so that an open dialog would lose its
 * half-typed form. Drawn again only when it is shown, hidden or moved: with many tabs every step would draw all of them.
 */
const KeptPageView = memo(function KeptPageView({ page, isShown, draw, holds }: PageProps) {
  // The same element as before: what is shown again need not be drawn again.
  const content = useMemo(() => draw(page.location), [draw, page.location])
  return (
    <Activity mode={isShown ? 'visible' : 'hidden'}>
      <ComingBack of={keyOf(page)} holds={holds}>
        <MotionProvider motion={false}>
          <ErrorBoundary at={String(page.arrival)}>{content}</ErrorBoundary>
        </MotionProvider>
      </ComingBack>
    </Activity>
  )
})

/**
 * The pages of all open tabs. Only the last one opened is shown; the others wait without timers, listeners or calls.
 * `draw` must be the same function every time.
 */
export function KeptPages({ draw }: { draw: Draw }): ReactNode {
  const { kept, here } = useKept()
  const [holds] = useState<Holds>(() => new Map())
  useEffect(() => {
    const left = new Set(kept.map(keyOf))
    for (const [key, held] of holds) {
      if (left.has(key)) continue
      held.forget()
      holds.delete(key)
    }
  }, [kept, holds])
  return kept.map(page => (
    <KeptPageView key={keyOf(page)} page={page} isShown={page.path === here} draw={draw} holds={holds} />
  ))
}
