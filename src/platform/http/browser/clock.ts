/** Milliseconds by which the clock of an answer's head may differ before it counts: it tells whole seconds. */
const ROUGH = 2000

/** Milliseconds the server's clock is ahead of this device's. */
let ahead = 0
/** An answer has told the time itself; the head of another one is not asked any more. */
let isTold = false

/** Milliseconds since 1970 of a time of the wire (`yyyy-MM-dd HH:mm:ss`, Asia/Shanghai, or ISO); NaN for none. */
export function timeOf(text: string | undefined): number {
  if (!text) return Number.NaN
  return Date.parse(text.includes('T') ? text : `${text.replace(' ', 'T')}+08:00`)
}

/** Learns the server's time from an answer: deadlines are the server's, whatever this device's clock says. */
export function keepTime(serverTime: string | undefined): void {
  const time = timeOf(serverTime)
  if (Number.isNaN(time)) return
  ahead = time - Date.now()
  isTold = true
}

/** Learns the server's time from the `date` in an answer's head, as long as no answer has told it better. */
export function hearTime(date: unknown): void {
  const difference = Date.parse(String(date)) - Date.now()
  if (!isTold && Math.abs(difference - ahead) > ROUGH) ahead = difference
}

/** Milliseconds by which Asia/Shanghai is ahead of UTC. */
const shanghai = 8 * 3_600_000

/** The server's time in milliseconds since 1970, as far as it is known. */
export const serverNow = (): number => Date.now() + ahead

/** A time as the wire writes it, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. @param time milliseconds since 1970; the server's now by default */
export const wireTime = (time = serverNow()): string =>
  new Date(time + shanghai).toISOString().slice(0, 19).replace('T', ' ')
