import { useSyncExternalStore } from 'react'

/** What was heard of the calls of a page: any that was answered, and any that the server does not have. */
interface Heard {
  readonly found: boolean
  readonly missing: boolean
}

const NOTHING: Heard = { found: false, missing: false }
const pages = new Map<string, Heard>()
const listeners = new Set<() => void>()

/** Notes whether the server has a call that a page reads from. */
export function hear(page: string, isThere: boolean): void {
  const before = pages.get(page) ?? NOTHING
  const after = { found: before.found || isThere, missing: before.missing || !isThere }
  if (after.found === before.found && after.missing === before.missing) return
  pages.set(page, after)
  for (const listener of listeners) listener()
}

/** How much of a page the server does not have: nothing of it, a part, or the whole. */
export function absenceOf(page: string): 'none' | 'part' | 'whole' {
  const { found, missing } = pages.get(page) ?? NOTHING
  return missing ? (found ? 'part' : 'whole') : 'none'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same for components, drawn again when more is heard. */
export const useAbsence = (page: string): ReturnType<typeof absenceOf> =>
  useSyncExternalStore(subscribe, () => absenceOf(page))

/** The server's code for an address that it does not have; a row that is not there has a code of its own. */
export const MISSING = 404
