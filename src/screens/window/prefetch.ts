/** Milliseconds for which a pointer rests on what it is about to press; one that passes by rests nowhere. */
const REST = 60

let timer: ReturnType<typeof setTimeout> | undefined

/** Brings what an address needs, its rows too or only its program. Set once, at start: only the routes know what that is. */
export const prefetcher = { load: (_path: string, _what: 'all' | 'program'): void => {} }

/** A pointer came to something that leads to `path`: when it stays, what is needed there comes before it is pressed. */
export function pointAt(path: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => prefetcher.load(path, 'all'), REST)
}

/** The pointer went on. */
export function pointAway(): void {
  clearTimeout(timer)
}

/** Milliseconds without work after which the window counts as idle, where the browser cannot tell. */
const IDLE = 300

const whenIdle = (work: () => void): (() => void) => {
  if (!('requestIdleCallback' in globalThis)) {
    const waiting = setTimeout(work, IDLE)
    return () => clearTimeout(waiting)
  }
  const waiting = requestIdleCallback(work)
  return () => cancelIdleCallback(waiting)
}

/** True where the person has asked the browser to spare data. */
const isSparing = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true

let stop = (): void => {}

/** Ways to `paths` came into view: their programs come one after the other while nothing else is done. Ends what it did before. */
export function comeNear(paths: readonly string[]): void {
  stop()
  const waiting = isSparing() ? [] : [...paths]
  const next = (): void => {
    const path = waiting.shift()
    if (path === undefined) return
    prefetcher.load(path, 'program')
    stop = whenIdle(next)
  }
  stop = whenIdle(next)
}
