/** Why a day is one of rest. */
export type Rest = '周末' | '法定节假日'

/** Holidays of each year by the law on festivals and memorial days, as month and day. */
const holidays = ['1-1', '5-1', '5-2', '10-1', '10-2', '10-3']

/**
 * New Year, dragon boats and mid-autumn by the lunar calendar. That of `Intl` is a day off where a moon is new around midnight, as in 2027
 * and 2030; years that are not here have the other holidays alone.
 */
const lunar: Readonly<Record<string, readonly [newYear: string, boats: string, autumn: string]>> = {
  2026: ['2-17', '6-19', '9-25'],
  2027: ['2-6', '6-9', '9-15'],
  2028: ['1-26', '5-28', '10-3'],
  2029: ['2-13', '6-16', '9-22'],
  2030: ['2-3', '6-5', '9-12'],
  2031: ['1-23', '6-24', '10-1'],
  2032: ['2-11', '6-12', '9-19'],
  2033: ['1-31', '6-1', '9-8'],
  2034: ['2-19', '6-20', '9-27'],
  2035: ['2-8', '6-10', '9-16'],
}

const DAY = 86_400_000
const calendar = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Asia/Shanghai',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  weekday: 'short',
})

function dayOf(moment: Date) {
  const { year, month, day, weekday } = Object.fromEntries(
    calendar.formatToParts(moment).map(one => [one.type, one.value]),
  )
  return { year: String(year), monthDay: `${month}-${day}`, weekday }
}

/** The day of Qingming in April, by the rule of thumb that holds for this century. */
const qingming = (year: number): number => Math.floor((year % 100) * 0.2422 + 4.81) - Math.floor((year % 100) / 4)

/** Whether a moment lies between the eve of the lunar year and its third day. */
function isNewYear(moment: Date): boolean {
  return [1, 0, -1, -2].some(by => {
    const { year, monthDay } = dayOf(new Date(moment.getTime() + by * DAY))
    return lunar[year]?.[0] === monthDay
  })
}

/**
 * Why a moment lies on a day of rest in China; null on other days and for no moment. Which working days holidays are exchanged
 * for is announced each year, and not known here.
 */
export function restDay(moment: Date | null | undefined): Rest | null {
  if (!moment) return null
  const { year, monthDay, weekday } = dayOf(moment)
  const [, ...festivals] = lunar[year] ?? []
  const isHoliday = [...holidays, ...festivals, `4-${qingming(Number(year))}`].includes(monthDay) || isNewYear(moment)
  if (isHoliday) return '法定节假日'
  return weekday === 'Sat' || weekday === 'Sun' ? '周末' : null
}
