import { isCandidate, session } from '../platform/http/browser/session.ts'

/** Written into the page by the build. */
interface Ahead {
  /** Bytes of the application's own files, on the wire, about. */
  readonly own: number
  /** The files that each kind of person needs next. */
  readonly desk: readonly string[]
  /** What a list needs besides, as nearly every page of the console does but its home. */
  readonly list: readonly string[]
  readonly candidate: readonly string[]
}

/** What some browsers know of the line: megabits in a second. */
interface Line {
  readonly downlink?: number
}

/** Asks for a file. Kept when it is here, or will not come. */
function ask(file: string): Promise<unknown> {
  // The application has come to it by itself.
  if (document.querySelector(`link[href="${file}"]`)) return Promise.resolve()
  const link = document.createElement('link')
  // Not `modulepreload`: all but the first of those wait until the running script has ended.
  link.rel = 'preload'
  link.as = file.endsWith('.css') ? 'style' : 'script'
  link.crossOrigin = ''
  link.href = file
  const done = new Promise(settle => {
    link.onload = settle
    link.onerror = settle
  })
  document.head.append(link)
  return done
}

/**
 * Calls back when the first byte of what is asked for then would come right behind the last one of the application's own
 * files. Asked for earlier, the rest would share the line with them; later, the line would stand idle while a slow processor
 * reads them. Where the browser knows nothing of the line: when the largest has come.
 */
function whenOwnAreNear(own: number, done: () => void): void {
  const { downlink } = (navigator as { connection?: Line }).connection ?? {}
  if (downlink) {
    // One round trip after the page, as long as what is asked for now will need, they began to come.
    const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    setTimeout(done, (page?.responseEnd ?? 0) + (own * 8) / (downlink * 1000) - performance.now())
    return
  }
  const script = document.querySelector<HTMLScriptElement>('script[type=module]:not([async])')
  const watch = new PerformanceObserver(list => {
    if (!list.getEntries().some(({ name }) => name === script?.src)) return
    watch.disconnect()
    done()
  })
  watch.observe({ type: 'resource', buffered: true })
}

const text = document.getElementById('ahead')?.textContent
if (text && session.token()) {
  const ahead = JSON.parse(text) as Ahead
  const isStaff = !isCandidate(session.get())
  const isHome = /^\/(wel\/index)?$/.test(location.pathname)
  whenOwnAreNear(ahead.own, async () => {
    await Promise.all((isStaff ? ahead.desk : ahead.candidate).map(ask))
    // The window first: it is drawn while its page is on its way.
    if (isStaff && !isHome) ahead.list.map(ask)
  })
}
