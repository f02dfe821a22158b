import { useSyncExternalStore } from 'react'

/** A page that was visited. */
export interface Tab {
  path: string
  /** Query with its question mark, or empty. */
  search: string
  title: string
  /** Pages of one group share one tab: the newest takes its place. */
  group?: string
}

const NAME = 'juxian-tabs'

/** The first tab, which cannot be closed. */
export const HOME: Tab = { path: '/wel/index', search: '', title: '首页' }

const listeners = new Set<() => void>()
let tabs: readonly Tab[] = load()

function load(): readonly Tab[] {
  try {
    const saved = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as Tab[]
    return [HOME, ...saved.filter(tab => tab.path !== HOME.path)]
  } catch {
    return [HOME]
  }
}

function put(next: readonly Tab[]): void {
  tabs = next
  sessionStorage.setItem(NAME, JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** Pages that were closed and not gone to since. */
const closed = new Set<string>()

/** True for a page that is passed by on the way from one that was closed just after it to another. */
function isPassedBy({ path }: Tab): boolean {
  if (closed.has(path) && path !== location.pathname) return true
  closed.delete(path)
  return false
}

const isSame = (one: Tab, other: Tab): boolean =>
  one.path === other.path || (one.group !== undefined && one.group === other.group)

/** Remembers a visit: a new tab at the end, or the known one with its newest query. What was closed meanwhile stays closed. */
export function visit(tab: Tab): void {
  if (tab.path === HOME.path || isPassedBy(tab)) return
  const known = tabs.findIndex(one => isSame(one, tab))
  put(known < 0 ? [...tabs, tab] : tabs.map((one, at) => (at === known ? tab : one)))
}

/** Closes a tab and answers the one before it, which is to be opened when the closed one was open. */
export function close(path: string): Tab {
  const at = tabs.findIndex(tab => tab.path === path)
  const before = tabs[Math.max(0, at - 1)] ?? HOME
  if (path === HOME.path) return before
  closed.add(path)
  put(tabs.filter(tab => tab.path !== path))
  return before
}

/** Closes every tab but the home tab and `path`, if one is given. */
export function closeAll(path?: string): void {
  put(tabs.filter(tab => tab.path === HOME.path || tab.path === path))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The tabs of this window, the home tab first. */
export function useTabs(): readonly Tab[] {
  return useSyncExternalStore(subscribe, () => tabs)
}
