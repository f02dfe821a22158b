import { t } from '../../platform/i18n/i18n.ts'

const DAY = 86_400_000
/** A deadline so near is coloured, in days. */
const SOON = 3

/**
 * How long it is until a deadline, in words, and whether that is soon.
 * @param at the deadline and
 * @param now the server's time, in milliseconds since 1970
 */
export function timeLeft(at: number, now: number): { words: string; soon: boolean } {
  const days = (at - now) / DAY
  const words = days < 1 ? t('不足一天') : t('还有 {{n}} 天', { n: Math.floor(days) })
  return { words, soon: days < SOON }
}
