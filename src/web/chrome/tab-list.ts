import { useSyncExternalStore } from 'react'
import { hasUnsaved, keepTyped } from '../../screens/unsaved.ts'
import { onClosePage } from '../../screens/window/close-page.ts'

/** A page that was visited. */
export interface Tab {
  path: string
  /** Query with its question mark, or empty. */
  search: string
  title: string
  /** Pages of one group share one tab: the newest takes its place. */
  group?: string
  /** When its page was last opened, in milliseconds. */
  used: number
}

/** Tabs at most, the home tab among them. */
const MOST = 12
/** Milliseconds after which a tab counts as not in use. */
const IDLE = 30 * 60_000
/** Milliseconds after which a tab does not come back with its window. */
const OLD = 24 * 3_600_000

const NAME = 'juxian-tabs'

/** The first tab, which cannot be closed. */
export const HOME: Tab = { path: '/wel/index', search: '', title: '首页', used: 0 }

const listeners = new Set<() => void>()
let tabs: readonly Tab[] = load()

function load(): readonly Tab[] {
  try {
    const saved = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as Tab[]
    return [HOME, ...saved.filter(tab => tab.path !== HOME.path && Date.now() - tab.used < OLD)]
  } catch {
    return [HOME]
  }
}

function put(next: readonly Tab[]): void {
  tabs = next
  keepTyped(next.map(tab => tab.path))
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

/** Tabs without those not opened for longest, so that there are no more than fit. What holds something unsaved stays. */
function fitting(all: readonly Tab[], here: string): readonly Tab[] {
  const spare = all.filter(({ path }) => path !== HOME.path && path !== here && !hasUnsaved(path))
  const gone = spare.toSorted((one, other) => one.used - other.used).slice(0, Math.max(0, all.length - MOST))
  return gone.length ? all.filter(tab => !gone.includes(tab)) : all
}

/** Remembers a visit: a new tab at the end, or the known one with its newest query. What was closed meanwhile stays closed. */
export function visit(visited: Omit<Tab, 'used'>): void {
  const tab = { ...visited, used: Date.now() }
  if (tab.path === HOME.path || isPassedBy(tab)) return
  const known = tabs.findIndex(one => isSame(one, tab))
  put(known < 0 ? fitting([...tabs, tab], tab.path) : tabs.map((one, at) => (at === known ? tab : one)))
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

onClosePage(close)

/** Closes every tab but the home tab and `path`, if one is given. */
export function closeAll(path?: string): void {
  put(tabs.filter(tab => tab.path === HOME.path || tab.path === path))
}

/**
 * Closes the tabs whose pages have not been opened for half an hour, but for the open one and those with something unsaved.
 * @returns how many those were
 */
export function closeUnused(here: string): number {
  const isKept = ({ path, used }: Tab): boolean =>
    path === HOME.path || path === here || Date.now() - used < IDLE || hasUnsaved(path)
  const before = tabs.length
  put(tabs.filter(isKept))
  return before - tabs.length
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The tabs of this window, the home tab first. */
export function useTabs(): readonly Tab[] {
  return useSyncExternalStore(subscribe, () => tabs)
}
