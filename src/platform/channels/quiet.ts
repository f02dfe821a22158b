/** Hours of each day, in Shanghai, in which nobody is disturbed without a further question: from one time until the other, over midnight or not. */
export interface QuietHours {
  /** `22:00`. */
  readonly from: string
  /** `08:00`; the same as `from` where people may be disturbed at any time. */
  readonly until: string
}

const minute = 60_000
const dayMinutes = 1440
const shanghai = 8 * 60

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Whether nobody is to be disturbed at a time. */
export function isQuiet(at: Date, hours: QuietHours): boolean {
  const now = (Math.floor(at.getTime() / minute) + shanghai) % dayMinutes
  const [from, until] = [minutesOf(hours.from), minutesOf(hours.until)]
  return from <= until ? from <= now && now < until : from <= now || now < until
}

/** When people may be disturbed from a time on: at once by day, else when the quiet hours end that it is in. */
export function quietEnd(at: Date, hours: QuietHours): Date {
  if (!isQuiet(at, hours)) return at
  const end = new Date(at)
  end.setUTCSeconds(0, 0)
  while (isQuiet(end, hours)) end.setTime(end.getTime() + minute)
  return end
}

/** When the quiet hours began that a time is in. */
export function quietStart(at: Date, hours: QuietHours): Date {
  const start = new Date(at)
  start.setUTCSeconds(0, 0)
  while (isQuiet(new Date(start.getTime() - minute), hours)) start.setTime(start.getTime() - minute)
  return start
}
