import { isQuiet, type QuietHours, quietEnd } from '../../../platform/channels/quiet.ts'

/** What is told at the end of quiet hours must leave at least this many milliseconds to act. */
const least = 3_600_000

/**
 * When somebody may be disturbed with something: now by day; else at the end of the quiet hours, where that leaves an hour until it is too
 * late; else now.
 */
export function nightEnd(now: Date, until: Date | null, hours: QuietHours): Date {
  if (!isQuiet(now, hours)) return now
  const end = quietEnd(now, hours)
  return until && end.getTime() + least > until.getTime() ? now : end
}
