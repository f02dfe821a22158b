import { domainEvents } from '#resources/events'
import { delivery } from '#resources/messages/delivery'
import { type Derive, rules } from '../../../crud/rules.ts'
import { wantsEnglish } from '../../../platform/http/server/refusal-english.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'

/** What happened, by the name that the settings of messages have for it. */
const deriveEvent: Derive<typeof delivery> = async ({ request }, rows) => {
  const english = request !== null && wantsEnglish(request.headers['accept-language'])
  return rows.map(({ code }) => {
    const label = domainEvents.get(String(code))?.label ?? String(code)
    return { event: english ? inEnglish(label) : label }
  })
}

/** Rules of deliveries beyond their definition. */
export const notificationRules = [rules(delivery, { hooks: { derive: deriveEvent } })]
