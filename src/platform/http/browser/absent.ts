import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** The server's code for an address that it does not have; a row that is not there has a code of its own. */
export const MISSING = 404

/** Whether a call was refused because the server does not have it. */
export const isMissing = (error: unknown): boolean => Number((error as { code?: unknown } | null)?.code) === MISSING

/** What is known of the calls of a page: any that was answered, and any that the server does not have. */
interface Heard {
  readonly found: boolean
  readonly missing: boolean
}

const NOTHING: Heard = { found: false, missing: false }
const pages = new Map<string, Heard>()
/** Who says on a page that something of it is missing, the first first: one word is enough. */
const sayers = new Map<string, readonly object[]>()
const listeners = new Set<() => void>()
let isOther = false

const tell = (): void => {
  for (const listener of listeners) listener()
}

/** Notes whether the server has a call that a page reads from. */
export function hear(page: string, isThere: boolean): void {
  const before = pages.get(page) ?? NOTHING
  const after = { found: before.found || isThere, missing: before.missing || !isThere }
  if (after.found === before.found && after.missing === before.missing) return
  pages.set(page, after)
  tell()
}

/** How much of a page the server does not have: nothing of it, a part, or the whole. */
export function absenceOf(page: string): 'none' | 'part' | 'whole' {
  const { found, missing } = pages.get(page) ?? NOTHING
  return missing ? (found ? 'part' : 'whole') : 'none'
}

/** Notes that the calls are answered by another server than ours, whose answers may be of another shape. */
export function hearOther(): void {
  isOther = true
}

/** Whether another server than ours answers the calls. */
export const isOtherServer = (): boolean => isOther

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same for components, drawn again when more is known. */
export const useAbsence = (page: string): ReturnType<typeof absenceOf> =>
  useSyncExternalStore(subscribe, () => absenceOf(page))

/** Whether this is the one part of the page that says what is missing; the others keep quiet while it does. */
export function useIsSayer(): boolean {
  const [page] = useState(() => location.pathname)
  const [me] = useState(() => ({}))
  useLayoutEffect(() => {
    sayers.set(page, [...(sayers.get(page) ?? []), me])
    tell()
    return () => {
      sayers.set(page, sayers.get(page)?.filter(one => one !== me) ?? [])
      tell()
    }
  }, [page, me])
  return useSyncExternalStore(subscribe, () => (sayers.get(page)?.[0] ?? me) === me)
}
