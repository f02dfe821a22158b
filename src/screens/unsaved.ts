import { useEffect, useSyncExternalStore } from 'react'

/** What somebody types into. Searches are no loss. */
const EDITABLE = 'input, textarea, select, [contenteditable=true]'
const SEARCH = 'search, [role=search], [type=search], [data-unkept]'

/** What has been typed into, with the path of the page that was open then: dialogs stand outside their pages. */
const touched = new Map<Element, string>()
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** On the page that is shown, what is not in the document is gone. On a hidden one dialogs leave the document and come back with it. */
const isThere = (place: Element, path: string): boolean => place.isConnected || path !== location.pathname

/** Forgets forms that have gone, before somebody leaves the page on which they were. */
function tidy(): void {
  for (const [place, path] of touched) if (!isThere(place, path)) touched.delete(place)
}

/** Forgets what was typed on pages that are kept no more. @param paths those that are */
export function keepTyped(paths: readonly string[]): void {
  for (const [place, path] of touched) if (path !== location.pathname && !paths.includes(path)) touched.delete(place)
}

function note({ target }: Event): void {
  const place = target instanceof Element ? target.closest(EDITABLE) : null
  if (!place || place.closest(SEARCH)) return
  tidy()
  // An input that leaves the document with its page tells its change then, when the address is the next page's.
  touched.set(place, touched.get(place) ?? location.pathname)
  tell()
}

const isFilled = (place: Element): boolean => {
  if (place instanceof HTMLInputElement && /^(checkbox|radio)$/.test(place.type)) return true
  return (('value' in place ? String(place.value) : place.textContent) ?? '').trim() !== ''
}

for (const name of ['input', 'change'] as const) addEventListener(name, note, { capture: true, passive: true })
for (const name of ['click', 'keydown'] as const) addEventListener(name, tidy, { capture: true, passive: true })

/**
 * True while a page, shown or kept behind another one, holds what somebody has typed into it. What a form held is gone
 * with the form. A form that stays after it has been saved counts, too: asking once too often loses nothing.
 * @param path only the page at this path, where one is given
 */
export const hasUnsaved = (path?: string): boolean =>
  [...touched].some(([place, at]) => (path ?? at) === at && isThere(place, at) && isFilled(place))

/** Milliseconds between two looks at whether forms that were typed into are still there: nothing tells when one goes. */
const LOOK = 1000

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same for a component, which is drawn again when it changes. */
export function useUnsaved(path: string): boolean {
  const isUnsaved = useSyncExternalStore(subscribe, () => hasUnsaved(path))
  useEffect(() => {
    if (!isUnsaved) return
    const timer = setInterval(tell, LOOK)
    return () => clearInterval(timer)
  }, [isUnsaved])
  return isUnsaved
}
