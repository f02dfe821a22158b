import { isQuiet } from '../../../platform/channels/sms/sms-text.ts'

const minute = 60_000
/** What is told at the end of a night must leave at least this long to act. */
const least = 60 * minute

/**
 * When somebody may be disturbed with something: now by day; else at the end of the night, where that leaves an hour until it is too
 * late; else now.
 */
export function nightEnd(now: Date, until: Date | null): Date {
  if (!isQuiet(now)) return now
  const end = new Date(now)
  end.setUTCSeconds(0, 0)
  while (isQuiet(end)) end.setTime(end.getTime() + minute)
  return until && end.getTime() + least > until.getTime() ? now : end
}
