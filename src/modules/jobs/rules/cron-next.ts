import { numberOf, type Part, parts } from './cron.ts'

/** Expressions mean the time of Shanghai, which is the same all the year. */
const shanghai = 8 * 3600_000
const day = 86_400_000
/** The last year an expression can name. */
const lastYear = 2099

/** The times of an expression: whether a day is one of them, and the hours, minutes and seconds of each day. */
interface Times {
  isYear: (year: number) => boolean
  isMonth: (month: number) => boolean
  isDay: (at: Date) => boolean
  hours: readonly number[]
  minutes: readonly number[]
  seconds: readonly number[]
}

/** The numbers that one item of a list stands for: `*`, `?`, `5`, `1-5`, each with an optional `/step`. */
function numbersOf(item: string, part: Part): number[] {
  const [span = '', step] = item.split('/')
  const [from, to] = span.split('-').map(text => numberOf(text, part))
  const isAny = span === '*' || span === '?'
  const first = isAny ? part.least : (from ?? Number.NaN)
  const last = isAny || (step !== undefined && to === undefined) ? part.most : (to ?? first)
  const by = Number(step ?? 1)
  return Array.from({ length: Math.max(0, Math.floor((last - first) / by) + 1) }, (_, at) => first + at * by)
}

const listOf = (text: string, part: Part): number[] =>
  [...new Set(text.split(',').flatMap(item => numbersOf(item, part)))].toSorted((a, b) => a - b)

/** The number of days in the month of a date. */
const lengthOf = (at: Date): number => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()

/** The working day of a date's month that is nearest to one of its days. */
function workday(at: Date, wanted: number): number {
  const last = lengthOf(at)
  const date = Math.min(wanted, last)
  const weekday = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), date)).getUTCDay()
  if (weekday === 6) return date === 1 ? 3 : date - 1
  if (weekday === 0) return date === last ? date - 2 : date + 1
  return date
}

/** Whether a date is meant by an item of the days of a month: a number, `L`, `L-3`, `LW`, `15W`. */
function isDate(item: string, at: Date, part: Part): boolean {
  const date = at.getUTCDate()
  if (item === 'LW') return date === workday(at, 31)
  if (item.startsWith('L')) return date === lengthOf(at) - Number(item.slice(2) || 0)
  if (item.endsWith('W'))
    return Number(item.slice(0, -1)) <= lengthOf(at) && date === workday(at, Number(item.slice(0, -1)))
  return numbersOf(item, part).includes(date)
}

/** Whether a date is meant by an item of the days of a week, Sunday being 1: a number or word, `L`, `6L`, `FRI#2`. */
function isWeekday(item: string, at: Date, part: Part): boolean {
  const [weekday, date] = [at.getUTCDay() + 1, at.getUTCDate()]
  if (item === 'L') return weekday === 7
  if (item.includes('#')) {
    const [name = '', which] = item.split('#')
    return weekday === numberOf(name, part) && Math.ceil(date / 7) === Number(which)
  }
  if (item.endsWith('L')) return weekday === numberOf(item.slice(0, -1), part) && date + 7 > lengthOf(at)
  return numbersOf(item, part).includes(weekday)
}

function timesOf(expression: string): Times {
  const texts = expression.trim().toUpperCase().split(/\s+/)
  const [seconds, minutes, hours, dates, months, weekdays, years] = parts.map((part, at) => {
    const text = texts[at] ?? '*'
    return { text, part, items: text.split(','), numbers: () => listOf(text, part) }
  }) as [Taken, Taken, Taken, Taken, Taken, Taken, Taken]
  const [monthList, yearList] = [months.numbers(), years.numbers()]
  return {
    isYear: year => yearList.includes(year),
    isMonth: month => monthList.includes(month),
    isDay: at =>
      dates.items.some(item => isDate(item, at, dates.part)) &&
      weekdays.items.some(item => isWeekday(item, at, weekdays.part)),
    hours: hours.numbers(),
    minutes: minutes.numbers(),
    seconds: seconds.numbers(),
  }
}

interface Taken {
  text: string
  part: Part
  items: string[]
  numbers: () => number[]
}

/** The first time of a day, in milliseconds from its begin, that is not before another; undefined when the day has none. */
function timeOfDay({ hours, minutes, seconds }: Times, from: number): number | undefined {
  for (const hour of hours)
    for (const minute of minutes) {
      const begin = (hour * 60 + minute) * 60_000
      if (begin + 59_000 < from) continue
      const second = seconds.find(one => begin + one * 1000 >= from)
      if (second !== undefined) return begin + second * 1000
    }
  return undefined
}

/**
 * The first time of a CRON expression after another, in Shanghai.
 * @param expression one that `cronProblem` finds nothing wrong with
 * @returns null when it never comes again
 */
export function nextCron(expression: string, after: Date): Date | null {
  const times = timesOf(expression)
  const from = Math.floor(after.getTime() / 1000) * 1000 + 1000 + shanghai
  let begin = Math.floor(from / day) * day
  for (let at = new Date(begin); at.getUTCFullYear() <= lastYear; at = new Date(begin)) {
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
    if (!times.isYear(year)) begin = Date.UTC(year + 1, 0, 1)
    else if (!times.isMonth(month + 1)) begin = Date.UTC(year, month + 1, 1)
    else {
      const time = times.isDay(at) ? timeOfDay(times, from - begin) : undefined
      if (time !== undefined) return new Date(begin + time - shanghai)
      begin += day
    }
  }
  return null
}
