import { isCandidate, session } from '../platform/http/browser/session.ts'

/** Written into the page by the build. */
interface Ahead {
  /** Bytes of the application's own files, as they travel, about. */
  readonly own: number
  /** The files that each kind of person needs next. */
  readonly desk: readonly string[]
  readonly candidate: readonly string[]
}

/** What some browsers know of the line: megabits in a second. */
interface Line {
  readonly downlink?: number
}

function ask(file: string): void {
  // The application has come to it by itself.
  if (document.querySelector(`link[href="${file}"]`)) return
  const link = document.createElement('link')
  // Not `modulepreload`: all but the first of those wait until the running script has ended.
  link.rel = 'preload'
  link.as = file.endsWith('.css') ? 'style' : 'script'
  link.crossOrigin = ''
  link.href = file
  document.head.append(link)
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
  const files = isCandidate(session.get()) ? ahead.candidate : ahead.desk
  whenOwnAreNear(ahead.own, () => {
    for (const file of files) ask(file)
  })
}
