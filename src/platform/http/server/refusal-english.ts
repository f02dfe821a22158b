import { inEnglish } from '../../i18n/english.ts'
import { entryOfCode, filled, isRefusal, type Refusal } from './refusal.ts'

/** Whether a refusal is HTTP's own and says the same in English whatever its sentence. */
const saysOneThing = (refusal: Refusal): boolean =>
  isRefusal(
    refusal,
    'request.unauthenticated',
    'request.forbidden',
    'request.notFound',
    'request.methodNotAllowed',
    'request.unsupportedMedia',
  )

/** The text of a refusal in English; that of its own sentence where it has one instead of its name's. */
export function englishOf(refusal: Refusal): string {
  const { code, values, message } = refusal
  const [, , chinese = '', english = ''] = entryOfCode(code) ?? []
  const isOwn = message !== filled(chinese, values)
  return isOwn && !saysOneThing(refusal) ? inEnglish(message) : filled(english, values, inEnglish)
}

/**
 * Whether a caller wants English. Our own pages send exactly `en`; a browser's own list of languages says nothing about
 * the language its page is in, so it does not count.
 */
export const wantsEnglish = (acceptLanguage: string | undefined): boolean => acceptLanguage === 'en'
