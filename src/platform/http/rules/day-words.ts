const word = /^\$today(?:([+-])(\d{1,4}))?(.*)$/s

/** Whether a value is a day counted from today, `$today-7`; a time of day may follow. */
export const isDayWord = (value: unknown): boolean => typeof value === 'string' && word.test(value)

/**
 * Filters with the days that those counted from today are now.
 * @param dayAt the day so many days from today, before it when negative
 */
export const withDays = (
  filters: Readonly<Record<string, unknown>>,
  dayAt: (away: number) => string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filters).map(([key, value]) => {
      const found = typeof value === 'string' ? word.exec(value) : null
      if (!found) return [key, value]
      const [, sign, days = '0', rest] = found
      return [key, `${dayAt(sign === '-' ? -Number(days) : Number(days))}${rest}`]
    }),
  )
