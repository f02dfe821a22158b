import { isCandidate, session } from '../platform/http/browser/session.ts'
import { downlink } from './line.ts'

/** Written into the page by the build. */
interface Ahead {
  /** Bytes of the application's own files, on the wire, about. */
  readonly own: number
  /** Bytes of the window of staff. */
  readonly window: number
  /** The files that each kind of person needs next. */
  readonly desk: readonly string[]
  /** What a list needs besides, as nearly every page of the console does but its home. */
  readonly list: readonly string[]
  readonly candidate: readonly string[]
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
 * Calls back when the first byte of what is asked for then would come right behind the last one of `bytes` that came before.
 * Asked for earlier, the rest would share the line with them; later, the line would stand idle while a slow processor reads
 * them. Where the browser knows nothing of the line: when `before` is here.
 */
function whenNear(bytes: number, before: () => Promise<unknown>, done: () => unknown): void {
  const rate = downlink()
  if (!rate) {
    void before().then(done)
    return
  }
  // One round trip after the page, as long as what is asked for now will need, they began to come.
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  setTimeout(done, (page?.responseEnd ?? 0) + (bytes * 8) / (rate * 1000) - performance.now())
}

/** Until the largest of the application's own files is here. */
const ownIsHere = (): Promise<void> =>
  new Promise(here => {
    const script = document.querySelector<HTMLScriptElement>('script[type=module]:not([async])')
    const watch = new PerformanceObserver(list => {
      if (!list.getEntries().some(({ name }) => name === script?.src)) return
      watch.disconnect()
      here()
    })
    watch.observe({ type: 'resource', buffered: true })
  })

/** The definition of the list at this address: small, and what comes with it is drawn by it. */
async function askDefinition(): Promise<void> {
  const { catalogue, loaders } = await import('virtual:catalogue')
  const listed = catalogue.find(({ screen }) => screen === location.pathname)
  if (listed) await loaders[listed.name]?.()
}

/** Asks for files one kind of person needs next. Kept when all are here. */
const askAll = (files: readonly string[]): Promise<unknown> => Promise.all(files.map(ask))

function begin({ own, window: bytes, desk, list, candidate }: Ahead): void {
  if (isCandidate(session.get())) {
    whenNear(own, ownIsHere, () => askAll(candidate))
    return
  }
  const isHome = /^\/(wel\/index)?$/.test(location.pathname)
  const windowIsHere = new Promise<unknown>(here =>
    whenNear(own, ownIsHere, () => {
      here(askAll(desk))
      // A part that cannot be loaded is loaded again, and told of, by the application.
      if (!isHome) askDefinition().catch(() => undefined)
    }),
  )
  // The window first: it is drawn while its page is on its way.
  if (!isHome)
    whenNear(
      own + bytes,
      () => windowIsHere,
      () => askAll(list),
    )
}

const text = document.getElementById('ahead')?.textContent
if (text && session.token()) begin(JSON.parse(text) as Ahead)
