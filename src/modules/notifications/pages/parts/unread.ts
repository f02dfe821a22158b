import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router-dom'
import { call } from '../../../../platform/http/browser/call.ts'
import { type InboxLine, inboxPage } from '../../contract.ts'

/** What is read of a line of the inbox. */
export type NoticeLine = Pick<InboxLine, 'id' | 'kind' | 'title' | 'time' | 'read' | 'mustSure' | 'opens'>

/** What is read of a page of the inbox. */
export interface NoticePage {
  records: readonly NoticeLine[]
  total: number
}

/** Lines shown at once. */
const SHOWN = 10
/** Milliseconds: the first question waits for the page, then one is enough in a while; who comes back may know sooner. */
const [FIRST, AGAIN, STALE] = [1200, 300_000, 60_000]

const NONE: NoticePage = { records: [], total: 0 }
const listeners = new Set<() => void>()
let unread = NONE
let asked = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Says what is unread. */
export function putNotices(next: NoticePage): void {
  unread = next
  for (const listener of listeners) listener()
}

/** Asks what is unread. A failure is silent: the next question may do better. */
export async function askNotices(): Promise<void> {
  asked = Date.now()
  const next = await call(inboxPage, { size: SHOWN, tab: 'unread' }, { pass: 'all' }).catch(() => undefined)
  if (next) putNotices({ ...next, total: Number(next.total) })
}

/** Asks again in a while, and only while somebody looks at the page. */
function plan(wait: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (!document.hidden) void askNotices()
    plan(AGAIN)
  }, wait)
}

function comeBack(): void {
  if (!document.hidden && Date.now() - asked > STALE) void askNotices()
}

/** Keeps the count fresh: after the page has come, now and again, when the person comes back, and after a page on which one is read. */
export function useFreshNotices(): void {
  const { pathname } = useLocation()
  const isReading = /^\/(signup\/notice|info\/message)\//.test(pathname)
  useEffect(() => {
    plan(FIRST)
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', comeBack)
    }
  }, [])
  useEffect(() => {
    if (isReading) return () => void askNotices()
  }, [isReading])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The newest of the person's unread messages and notices, and how many there are. */
export function useNotices(): NoticePage {
  return useSyncExternalStore(subscribe, () => unread)
}
