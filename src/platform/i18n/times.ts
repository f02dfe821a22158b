import { lazily } from '../../engine/lazily.ts'

const parts = lazily(
  () =>
    new Intl.DateTimeFormat('zh-CN', {
      timeZone: 'Asia/Shanghai',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

function read(at: Date): Record<string, string> {
  return Object.fromEntries(
    parts()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
}

/** `2026年12月19日 星期六`, as in Shanghai. */
export function dayText(at: Date): string {
  const { year, month, day, weekday } = read(at)
  return `${year}年${month}月${day}日 ${weekday}`
}

/** `09:00`, as in Shanghai. */
export function clockText(at: Date): string {
  const { hour, minute } = read(at)
  return `${hour}:${minute}`
}

/** `2026年12月19日 09:00`, as in Shanghai. */
export function momentText(at: Date): string {
  const { year, month, day } = read(at)
  return `${year}年${month}月${day}日 ${clockText(at)}`
}
