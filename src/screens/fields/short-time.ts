import { wireTime } from '../../platform/http/browser/clock.ts'
import { language } from '../../platform/i18n/i18n.ts'

const DAY = 86_400_000

/** Midnight of a day of Asia/Shanghai as if it were one of UTC, to count days by. */
const dayOf = (text: string): number => Date.parse(`${text.slice(0, 10)}T00:00:00Z`)

const today = (): string => wireTime().slice(0, 10)

/** The day of the week in the language in use. @param day midnight of it as if it were one of UTC */
export const weekday = (day: number): string =>
  new Intl.DateTimeFormat(language() === 'en' ? 'en-GB' : 'zh-CN', { weekday: 'short', timeZone: 'UTC' }).format(day)

/**
 * A time of the wire as a list shows it: `10:02` today, `周三 10:02` this week, `11-17` this year, else the whole day; by the
 * clock of the server, without seconds.
 */
export function shortTime(text: string): string {
  const now = today()
  const [day, here] = [dayOf(text), dayOf(now)]
  const clock = text.slice(11, 16)
  if (day === here) return clock
  // Weeks begin on Monday; 1970 began on a Thursday.
  const monday = here - ((here / DAY + 3) % 7) * DAY
  if (day >= monday && day < monday + 7 * DAY) return `${weekday(day)} ${clock}`
  return text.slice(0, 4) === now.slice(0, 4) ? text.slice(5, 10) : text.slice(0, 10)
}
