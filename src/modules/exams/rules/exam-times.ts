import { type IsDayOff, type SuggestionChanges, suggestedValues } from '#engine'
import { examination } from '#resources/exams/examination'

/** What times are worked out by: the days on which nobody works, holidays among them, and what the tenant says otherwise. */
export interface Planning {
  readonly isOff: IsDayOff
  readonly isHoliday?: IsDayOff
  readonly changes?: SuggestionChanges
}

/** When a written exam begins on its day. */
const BEGIN = '09:00:00'

/**
 * All times of an exam and its reference day, worked out of the day of the written exam.
 * @param day `yyyy-MM-dd`
 * @param known times that stand already: what follows from them is counted from there
 * @returns on the wire, by field
 */
export function timesOf(
  day: string,
  { isOff, changes }: Planning,
  known: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const stand = { examStartTime: `${day} ${BEGIN}`, ...known }
  return { ...suggestedValues(examination, stand, isOff, changes), ...stand }
}

/** Names of all times and days that {@link timesOf} gives, in the order of the form. */
export const timeNames: readonly string[] = examination.form.flatMap(group =>
  group.inputs.flatMap(({ field, suggest }) => (suggest || field === 'examStartTime' ? [field] : [])),
)
