import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router-dom'
import { call } from '../../../../platform/http/browser/call.ts'
import { isAttended } from '../../../../platform/http/browser/user-activity.ts'
import { type InboxLine, inboxUnread } from '../../contract.ts'

/** What is read of a line of the inbox. */
export type NoticeLine = Pick<InboxLine, 'id' | 'kind' | 'title' | 'time' | 'read' | 'mustSure' | 'opens'>

/** What is read of a page of the inbox. */
export interface NoticePage {
  records: readonly NoticeLine[]
  total: number
}

/** Milliseconds: the first question waits for the page; then how often is asked while somebody is there, and while nobody is. */
const [FIRST, SOON, SELDOM] = [1200, 10_000, 60_000]
/** Milliseconds between two questions at least, however quickly one goes from page to page. */
const APART = 3000

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

/** Asks how much is unread. A failure is silent: the next question may do better. @returns whether there was an answer */
export async function askUnread(): Promise<boolean> {
  asked = Date.now()
  const next = await call(inboxUnread, {}, { pass: 'all' }).catch(() => undefined)
  if (!next) return false
  const total = Number(next.messages) + Number(next.notices)
  if (total !== unread.total) putNotices({ ...unread, total })
  return true
}

/** Asks again in a while, and only while the page is seen: seldom where nobody is at it, or the server does not answer. */
function plan(wait: number): void {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    const isSoon = (document.hidden || (await askUnread())) && isAttended()
    // Not all at the same moment.
    plan((isSoon ? SOON : SELDOM) * (0.8 + Math.random() / 5))
  }, wait)
}

function comeBack(): void {
  if (!document.hidden && Date.now() - asked > SOON) plan(0)
}

/** Keeps the count fresh: after the page has come, now and again, when the person comes back, and on the way to another page. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is why it is asked
  useEffect(() => {
    if (asked && Date.now() - asked > APART) void askUnread()
  }, [pathname])
  useEffect(() => {
    if (isReading) return () => void askUnread()
  }, [isReading])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How many messages and notices of the person are unread, and the newest of them as they were last asked for. */
export function useNotices(): NoticePage {
  return useSyncExternalStore(subscribe, () => unread)
}
