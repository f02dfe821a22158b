const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Milliseconds between two tries: after the last of them an event is given up. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour] as const

/** So much shorter or longer a wait may be, so that what failed together does not come back together. */
const spread = 0.2

/** The longest that a receiver can ask to be left alone, and the shortest. */
const asked = { most: hour, least: 5 * second } as const

/** Milliseconds of failures alone after which a hook is switched off. */
export const patience = 5 * 24 * hour

/**
 * How long to wait after a failure.
 * @param over how many waits are over
 * @param chance from 0 to 1
 * @returns milliseconds; null when it is given up
 */
export function waitAfter(over: number, chance: number): number | null {
  const wait = waits[over]
  return wait === undefined ? null : Math.round(wait * (1 - spread + 2 * spread * chance))
}

/**
 * How long a receiver asks to be left alone.
 * @param header the value of `Retry-After`: seconds, or a date
 * @returns milliseconds; null where it says nothing that can be read
 */
export function askedWait(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? ''
  const time = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return Number.isNaN(time) ? null : Math.min(Math.max(time, asked.least), asked.most)
}
