import 'virtual:palette.css'
import './chrome/base.css'
import './chrome/print.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { userInfo } from '../platform/auth/contract.ts'
import { isOtherServer } from '../platform/http/browser/absent.ts'
import { call } from '../platform/http/browser/call.ts'
import { keepFresh, traffic } from '../platform/http/browser/http.ts'
import { session } from '../platform/http/browser/session.ts'
import { startLanguage } from '../platform/i18n/i18n.ts'
import { leaveFor, signInAddress } from '../screens/providers/auth.ts'
import { loadRights } from '../screens/providers/rights.ts'
import { hasUnsaved } from '../screens/unsaved.ts'
import { record, watchErrors } from '../screens/window/error-log.ts'
import { prefetcher } from '../screens/window/prefetch.ts'
import { App } from './App.tsx'
import { progressBar } from './chrome/progress.ts'
import { askToSignInAgain, goOn } from './chrome/sign-in-again.ts'
import { downlink } from './line.ts'
import { preload } from './routes.tsx'

/** Milliseconds in which the first page may arrive whole; then its skeleton is shown. */
const PATIENCE = 150
/** Megabits in a second on which no page arrives in that time: what all pages have is drawn while the rest is on its way. */
const SLOW = 3

const pause = (time: number): Promise<void> => new Promise(done => setTimeout(done, time))

/** Where something typed is unsaved the window stays and asks its person to sign in again. False where nothing is. */
function waitIfUnsaved(): boolean {
  if (!hasUnsaved()) return false
  void askToSignInAgain()
  return true
}

/** A page brought back by the browser's memory may show what somebody saw who has since signed out. */
function neverFromMemory(): void {
  addEventListener('pageshow', event => {
    if (event.persisted) location.reload()
  })
}

/** A token without its person, such as after storage was cleared in part: the server says whose it is. */
async function knowPerson(): Promise<void> {
  if (!session.token() || session.get()) return
  await call(userInfo, {}, { pass: 'all' }).then(session.update, session.clear)
}

/**
 * Keeps an error that drawing once more has mended. What another server answers in a form of its own fails in the same way
 * whether an error boundary meets it or a page that is left in the same moment: it stands in the log and is nobody's alarm.
 */
function recordRecovered(error: unknown): void {
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (isOtherServer()) record(cause, 'recovered')
  else reportError(cause)
}

/** Everything the server and the network need time for is begun before the first component is drawn. */
async function start(): Promise<void> {
  // What is built brings the styles of each component with it.
  if (import.meta.env.DEV) await import('antd/dist/antd.css')
  watchErrors()
  neverFromMemory()
  traffic.busy = progressBar()
  traffic.failed = record
  traffic.ended = () => (hasUnsaved() ? askToSignInAgain() : void leaveFor(signInAddress('expired')))
  await knowPerson()
  if (session.token()) {
    loadRights()
    keepFresh()
    session.follow(why => leaveFor(why === 'other' ? '/' : signInAddress()), waitIfUnsaved, goOn)
  } else session.clear()
  // The calls that have been begun go out first: they are small, and the window is drawn from their answers.
  const first = pause(0).then(() => preload(location.pathname, { rows: !location.search }))
  prefetcher.load = (path, what) => void preload(path, { rows: what === 'all' })
  const isSlow = (downlink() ?? SLOW) < SLOW
  await Promise.all([startLanguage(), Promise.race([first, pause(isSlow ? 0 : PATIENCE)])])
  createRoot(document.getElementById('root') as HTMLElement, { onRecoverableError: recordRecovered }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

void start()
