import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../pdf/plain-text.ts'
import type { Say } from '../../sandbox/page.ts'

/** How many phones the sandbox has. */
const phones = 3

/** The number by which an account knows a phone. */
export const openidOf = (appId: string, phone: number): string =>
  `o${createHash('sha256').update(`${appId} ${phone}`).digest('base64url').slice(0, 27)}`

/** A phone that somebody has chosen; the first where it is none. */
export function phoneOf(given: unknown): number {
  const number = Number(given)
  return Number.isInteger(number) && number >= 1 && number <= phones ? number : 1
}

/** The options of a choice among the phones. */
export const phoneOptions = (chosen: number, say: Say): string =>
  Array.from({ length: phones }, (_, i) => i + 1)
    .map(n => `<option value="${n}"${n === chosen ? ' selected' : ''}>${escapeHtml(say('沙箱手机'))} ${n}</option>`)
    .join('')
