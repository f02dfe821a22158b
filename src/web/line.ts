/** What some browsers know of the line: megabits in a second. */
interface Connection {
  readonly downlink?: number
}

/** Megabits that come in a second, as the browser estimates; undefined where it knows nothing of the line. */
export const downlink = (): number | undefined =>
  (navigator as { connection?: Connection }).connection?.downlink || undefined
