/** One part of an expression. */
export interface Part {
  title: string
  least: number
  most: number
  words?: readonly string[]
  /** Forms of this part alone, such as the last day of the month. */
  special?: RegExp
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Seconds first and an optional year last, as Quartz reads them. */
export const parts: readonly Part[] = [
  { title: '秒', least: 0, most: 59 },
  { title: '分', least: 0, most: 59 },
  { title: '时', least: 0, most: 23 },
  { title: '日', least: 1, most: 31, special: /^(L(-([1-9]|[12]\d|30))?|LW|([1-9]|[12]\d|3[01])W)$/ },
  { title: '月', least: 1, most: 12, words: months },
  { title: '周', least: 1, most: 7, words: days, special: /^(L|([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5]))$/ },
  { title: '年', least: 1970, most: 2099 },
]

/** The two parts that say days, of which one has to be left open. */
const [dates, weekdays] = [3, 5]

/** A number or a word such as `MON`; NaN for what the part does not know. */
export function numberOf(text: string, { least, most, words }: Part): number {
  const word = words?.indexOf(text) ?? -1
  const value = word >= 0 ? word + 1 : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : Number.NaN
}

/** Whether one item of a list is right: `*`, `5`, `1-5`, each with an optional `/step`. */
function isItem(item: string, part: Part): boolean {
  if (part.special?.test(item)) return true
  const [span = '', step, ...more] = item.split('/')
  if (more.length > 0 || (step !== undefined && !(/^\d{1,4}$/.test(step) && Number(step) > 0))) return false
  if (span === '*') return true
  const [from, to, ...rest] = span.split('-').map(text => numberOf(text, part))
  if (rest.length > 0 || from === undefined || Number.isNaN(from)) return false
  return to === undefined || (!Number.isNaN(to) && to >= from)
}

/** Whether a part is right. `?` stands alone, and only for days. */
function isPart(text: string, at: number): boolean {
  if (text === '?') return at === dates || at === weekdays
  return text.split(',').every(item => isItem(item, parts[at] as Part))
}

/** What is wrong with a CRON expression of six or seven parts, in words; null when nothing is. */
export function cronProblem(expression: string): string | null {
  const given = expression.trim().toUpperCase().split(/\s+/)
  if (given.length < 6 || given.length > 7) return 'CRON表达式应为6段或7段：秒 分 时 日 月 周 [年]'
  for (const [at, text] of given.entries()) {
    if (!isPart(text, at)) return `CRON表达式的${parts[at]?.title}不正确`
  }
  const open = [given[dates], given[weekdays]].filter(text => text === '?' || text === '*')
  if (given[dates] === '?' && given[weekdays] === '?') return 'CRON表达式的日和周不能都是?'
  return open.length === 0 ? '日和周只能限定一个，另一个填?' : null
}
