import { FormInputType } from '#schemas/dictionaries/sign-up'
import { isBlank } from '../../../engine/blank.ts'
import { holdsHidden, idCardProblem, phoneProblem } from '../../../engine/format.ts'
import { visibleItems } from './sign-form.ts'
import { type Content, type Dicts, on, type SignItem } from './sign-item.ts'
import { findEntry } from './sign-text.ts'

/** One thing to correct: `field` is the item code, with row and column (`work[0].unit`) inside a table. */
export interface SignProblem {
  field: string
  label: string
  msg: string
}

export interface CheckOptions {
  /** The position type chosen. */
  type?: string | null
  dicts?: Dicts
  /** False while it is a draft: what is missing is no problem yet. */
  finished: boolean
  /**
   * Runs an item's own pattern against the whole text. Patterns come from people, so the server gives one that
   * cannot be made to run for ever; without it patterns are not looked at.
   */
  matches?: (pattern: string, text: string) => boolean
}

type Check = (item: SignItem, value: unknown, options: CheckOptions) => string | null

const chosen: ReadonlySet<number> = new Set([
  FormInputType.date,
  FormInputType.radio,
  FormInputType.checks,
  FormInputType.select,
  FormInputType.cascade,
  FormInputType.region,
  FormInputType.school,
  FormInputType.month,
])

const unfit = (item: SignItem) => `${item.itemName}格式不正确`

function textProblem(item: SignItem, value: unknown, options: CheckOptions): string | null {
  if (typeof value !== 'string') return unfit(item)
  if (holdsHidden(value, item.inputType === FormInputType.longText)) return `${item.itemName}含有不可见字符，请重新输入`
  const most = item.rules?.maxLength ?? (item.inputType === FormInputType.longText ? 2000 : 255)
  if ([...value].length > most) return `${item.itemName}不能超过${most}个字`
  const pattern = item.rules?.regex
  if (pattern && options.matches && !options.matches(pattern, value)) return item.rules?.regexMsg || unfit(item)
  return null
}

function numberProblem(item: SignItem, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${item.itemName}应为数字`
  return rangeProblem(item, value, '')
}

function rangeProblem(item: SignItem, value: number | string, unit: string): string | null {
  const { min, max } = item.rules ?? {}
  if (!isBlank(min) && value < min!) return `${item.itemName}不能小于${min}${unit}`
  if (!isBlank(max) && value > max!) return `${item.itemName}不能大于${max}${unit}`
  return null
}

/** True for a day that exists, so that 2026-02-30 is refused. */
function isDay(text: string): boolean {
  const [year, month, day] = text.split('-').map(Number)
  const date = new Date(Date.UTC(year!, month! - 1, day!))
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day
}

function dateProblem(item: SignItem, value: unknown): string | null {
  const ok =
    typeof value === 'string' &&
    (item.inputType === FormInputType.month
      ? /^(19|20)\d{2}-(0[1-9]|1[0-2])$/.test(value)
      : /^(19|20)\d{2}-\d{2}-\d{2}$/.test(value) && isDay(value))
  if (!ok) return `${item.itemName}不是有效的日期`
  const { min, max } = item.rules ?? {}
  if (!isBlank(min) && value < String(min)) return `${item.itemName}不能早于${min}`
  if (!isBlank(max) && value > String(max)) return `${item.itemName}不能晚于${max}`
  return null
}

const offered = (item: SignItem, value: unknown, dicts: Dicts = {}): boolean => {
  const entries = item.dictCode ? dicts[item.dictCode] : undefined
  return typeof value === 'string' && (!entries || findEntry(entries, value) !== undefined)
}

const choiceProblem: Check = (item, value, { dicts }) =>
  offered(item, value, dicts) ? null : `${item.itemName}不在可选范围内`

const checksProblem: Check = (item, value, { dicts }) => {
  if (!Array.isArray(value) || new Set(value).size < value.length) return unfit(item)
  if (!value.every(key => offered(item, key, dicts))) return `${item.itemName}不在可选范围内`
  const { min, max } = item.rules ?? {}
  if (!isBlank(min) && value.length < Number(min)) return `${item.itemName}至少选择${min}项`
  if (!isBlank(max) && value.length > Number(max)) return `${item.itemName}最多选择${max}项`
  return null
}

/** Each step must be a child of the one before it. */
const cascadeProblem: Check = (item, value, { dicts = {} }) => {
  if (!Array.isArray(value) || value.length > 6) return unfit(item)
  let level = item.dictCode ? dicts[item.dictCode] : undefined
  if (!level) return value.every(key => typeof key === 'string') ? null : unfit(item)
  for (const key of value) {
    const entry: { children?: Dicts[string] } | undefined = level?.find(one => one.key === key)
    if (!entry) return `${item.itemName}不在可选范围内`
    level = entry.children
  }
  return level?.length ? `请选择完整的${item.itemName}` : null
}

const regionProblem: Check = (item, value) => {
  if (!Array.isArray(value) || value.length > 3) return unfit(item)
  if (!value.every(code => typeof code === 'string' && /^\d{2,12}$/.test(code))) return unfit(item)
  return value.length < 2 ? `请选择完整的${item.itemName}` : null
}

const ruledText =
  (rule: (text: string) => string | null): Check =>
  (item, value, options) =>
    textProblem(item, value, options) ?? rule(String(value))

const checks: Record<number, Check> = {
  [FormInputType.number]: numberProblem,
  [FormInputType.date]: dateProblem,
  [FormInputType.month]: dateProblem,
  [FormInputType.radio]: choiceProblem,
  [FormInputType.select]: choiceProblem,
  [FormInputType.checks]: checksProblem,
  [FormInputType.cascade]: cascadeProblem,
  [FormInputType.region]: regionProblem,
  [FormInputType.idCard]: ruledText(idCardProblem),
  [FormInputType.phone]: ruledText(phoneProblem),
}

const isRow = (row: unknown): boolean => typeof row === 'object' && row !== null && !Array.isArray(row)

/** What is wrong with a table: too few or too many rows, then whatever is wrong inside them. */
function tableProblems(item: SignItem, value: unknown, options: CheckOptions): SignProblem[] {
  const whole = (msg: string) => [{ field: item.itemCode, label: item.itemName, msg }]
  if (!Array.isArray(value) || !value.every(isRow)) return whole(unfit(item))
  const least = Number(item.rules?.min ?? 0)
  const most = Number(item.rules?.max ?? 50)
  if (options.finished && value.length < least) return whole(`${item.itemName}至少填写${least}条`)
  if (value.length > most) return whole(`${item.itemName}最多填写${most}条`)
  return value.flatMap((row: Content, index) =>
    checkContent(item.columns ?? [], row, { ...options, type: null }).map(found => ({
      field: `${item.itemCode}[${index}].${found.field}`,
      label: `${item.itemName}第${index + 1}条${found.label}`,
      msg: `第${index + 1}条：${found.msg}`,
    })),
  )
}

function itemProblems(item: SignItem, value: unknown, options: CheckOptions): SignProblem[] {
  const problem = (msg: string) => [{ field: item.itemCode, label: item.itemName, msg }]
  if (item.inputType === FormInputType.note) return []
  // Rows that stand there are told one by one what they lack, also when nothing has been typed yet.
  const hasRows =
    item.inputType === FormInputType.table && Array.isArray(value) && value.length > 0 && value.every(isRow)
  if (!hasRows && isBlank(value)) {
    const missing = options.finished && on(item.required)
    return missing ? problem(`${chosen.has(item.inputType) ? '请选择' : '请输入'}${item.itemName}`) : []
  }
  if (item.inputType === FormInputType.table) return tableProblems(item, value, options)
  const msg = (checks[item.inputType] ?? textProblem)(item, value, options)
  return msg ? problem(msg) : []
}

/** Everything to correct in what a candidate filled in, in the order of the form; empty when it may be handed in. */
export function checkContent(items: readonly SignItem[], content: Content, options: CheckOptions): SignProblem[] {
  return visibleItems(items, content, options.type).flatMap(item => itemProblems(item, content[item.itemCode], options))
}
