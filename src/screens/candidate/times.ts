import { serverNow, timeOf } from '../../platform/http/browser/clock.ts'
import { language } from '../../platform/i18n/i18n.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language()} ${name}`
  let found = formats.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat(language() === 'en' ? 'en-GB' : 'zh-CN', { timeZone: 'Asia/Shanghai', ...options })
    formats.set(key, found)
  }
  return found
}

const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

const yearOf = (time: number): string => format('year', { year: 'numeric' }).format(time)

/** `11月20日 17:00`, with the year where it is not this one; empty for no time. */
export function momentText(text: string | undefined): string {
  const time = timeOf(text)
  if (Number.isNaN(time)) return ''
  const isNow = yearOf(time) === yearOf(serverNow())
  return format(isNow ? 'moment' : 'long', { ...(isNow ? {} : { year: 'numeric' }), ...DAY, ...CLOCK }).format(time)
}

/** `11月20日`, with the year where it is not this one; empty for no time. */
export function dayText(text: string | undefined): string {
  const time = timeOf(text?.length === 10 ? `${text} 00:00:00` : text)
  if (Number.isNaN(time)) return ''
  const isNow = yearOf(time) === yearOf(serverNow())
  return format(isNow ? 'day' : 'far', { ...(isNow ? {} : { year: 'numeric' }), ...DAY }).format(time)
}

/** `11/20` (in English `20 Nov`), for a place with room for little more; empty for no time. */
export function shortDayText(text: string | undefined): string {
  const time = timeOf(text)
  if (Number.isNaN(time)) return ''
  return format('short', { ...DAY, month: language() === 'en' ? 'short' : 'numeric' }).format(time)
}

/** `17:00`; empty for no time. */
export function clockText(text: string | undefined): string {
  const time = timeOf(text)
  return Number.isNaN(time) ? '' : format('clock', CLOCK).format(time)
}

/** Time left in its two largest parts, `2天3小时` or `04:59`; the words come from `t`. */
export function leftText(milliseconds: number, t: (text: string, vars?: Record<string, unknown>) => string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  if (days > 0) return t('{{days}} 天 {{hours}} 小时', { days, hours })
  if (hours > 0) return t('{{hours}} 小时 {{minutes}} 分', { hours, minutes })
  return `${String(minutes).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}
