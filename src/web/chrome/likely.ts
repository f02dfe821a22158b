/** Milliseconds for which a pointer rests on what it is about to press; one that passes by rests nowhere. */
const REST = 60

let timer: ReturnType<typeof setTimeout> | undefined

/** Brings what an address needs. Set once, at start: only the routes know what that is. */
export const likely = { bring: (_path: string): void => {} }

/** A pointer came to something that leads to `path`: when it stays, what is needed there comes before it is pressed. */
export function pointAt(path: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => likely.bring(path), REST)
}

/** The pointer went on. */
export function pointAway(): void {
  clearTimeout(timer)
}
