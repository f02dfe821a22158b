import { isBlank } from '../../../engine/blank.ts'
import type { Dicts } from '../../../engine/form-field.ts'
import { holdsHidden, idCardProblem, phoneProblem } from '../../../engine/format.ts'
import { formats } from '../../../engine/formats.ts'
import type { CompileSchema, SchemaError } from '../../../engine/schema-error.ts'
import { type Content, type SignItem, usedItems } from './sign-item.ts'
import { entered, type FormKind, kindOf, lengthOf, MOST_ROWS, rowsOf, signForm } from './sign-schema.ts'

/** One thing to correct: `field` is the item code, with row and column (`work[0].unit`) inside a table. */
export interface SignProblem {
  field: string
  label: string
  msg: string
}

/** Of whom a form asks what. */
export interface FormOptions {
  /** The position type chosen. */
  type?: string | null
  dicts?: Dicts
}

/**
 * Everything to correct in what a candidate filled in, in the order of the form; empty when it may be handed in.
 * @param finished false while it is a draft: what is missing is no problem yet
 */
export type CheckForm = (content: Content, finished: boolean) => SignProblem[]

/** An item that breaks rules. */
interface Broken {
  readonly item: SignItem
  readonly value: unknown
  readonly dicts: Dicts
  /** Whether the value itself breaks one of these rules. */
  readonly has: (...keywords: readonly string[]) => boolean
  /** Whether a member of the list breaks a rule. */
  readonly inside: boolean
}

const chosen: ReadonlySet<FormKind> = new Set<FormKind>([
  'date',
  'month',
  'radio',
  'checks',
  'select',
  'cascade',
  'region',
  'school',
])

const unfit = ({ itemName }: SignItem): string => `${itemName}格式不正确`
const notOffered = ({ itemName }: SignItem): string => `${itemName}不在可选范围内`
const incomplete = ({ itemName }: SignItem): string => `请选择完整的${itemName}`

const textOf =
  (problem: (text: string) => string | null = () => null) =>
  ({ item, value, has }: Broken): string => {
    const { itemName, rules } = item
    if (typeof value !== 'string') return unfit(item)
    if (holdsHidden(value, kindOf(item) === 'longText')) return `${itemName}含有不可见字符，请重新输入`
    if (has('maxLength')) return `${itemName}不能超过${lengthOf(item)}个字`
    if (has('pattern')) return rules?.regexMsg || unfit(item)
    return problem(value) ?? unfit(item)
  }

function numberOf({ item: { itemName, rules }, has }: Broken): string {
  if (has('type')) return `${itemName}应为数字`
  return has('minimum') ? `${itemName}不能小于${rules?.min}` : `${itemName}不能大于${rules?.max}`
}

const dateOf =
  (format: string) =>
  ({ item: { itemName, rules }, value }: Broken): string => {
    if (typeof value !== 'string' || !formats[format]?.(value)) return `${itemName}不是有效的日期`
    return !isBlank(rules?.min) && value < String(rules?.min)
      ? `${itemName}不能早于${rules?.min}`
      : `${itemName}不能晚于${rules?.max}`
  }

function checksOf({ item, value, has, inside }: Broken): string {
  if (!Array.isArray(value) || new Set(value).size < value.length) return unfit(item)
  if (inside) return notOffered(item)
  return has('minItems')
    ? `${item.itemName}至少选择${item.rules?.min}项`
    : `${item.itemName}最多选择${item.rules?.max}项`
}

function cascadeOf({ item, value, dicts, has }: Broken): string {
  let level = item.dictCode ? dicts[item.dictCode] : undefined
  if (!level || !Array.isArray(value) || has('maxItems')) return unfit(item)
  for (const key of value) {
    const entry: { children?: Dicts[string] } | undefined = level?.find(one => one.key === key)
    if (!entry) return notOffered(item)
    level = entry.children
  }
  return incomplete(item)
}

const regionOf = ({ item, has, inside }: Broken): string =>
  has('type', 'maxItems') || inside ? unfit(item) : incomplete(item)

function tableOf({ item, value, has }: Broken): string {
  if (!rowsOf(value)) return unfit(item)
  if (has('minItems')) return `${item.itemName}至少填写${item.rules?.min}条`
  return `${item.itemName}最多填写${Number(item.rules?.max ?? MOST_ROWS)}条`
}

/** What is wrong with an item of each kind that breaks some rules. */
const sentences: Readonly<Record<FormKind, (broken: Broken) => string>> = {
  text: textOf(),
  longText: textOf(),
  school: textOf(),
  idCard: textOf(idCardProblem),
  phone: textOf(phoneProblem),
  number: numberOf,
  date: dateOf('recentDate'),
  month: dateOf('month'),
  radio: ({ item }) => notOffered(item),
  select: ({ item }) => notOffered(item),
  checks: checksOf,
  cascade: cascadeOf,
  region: regionOf,
  table: tableOf,
  note: ({ item }) => unfit(item),
}

/** Errors of the values in an object or a list, each with what is left of its path. */
function errorsBelow(errors: readonly SchemaError[], name: string): SchemaError[] {
  return errors.filter(({ path }) => path[0] === name).map(({ path, keyword }) => ({ path: path.slice(1), keyword }))
}

interface Told {
  readonly dicts: Dicts
  readonly finished: boolean
}

function itemProblems(item: SignItem, value: unknown, all: readonly SchemaError[], told: Told): SignProblem[] {
  const kind = kindOf(item)
  const rows = kind === 'table' ? rowsOf(value) : undefined
  const isAsked = ({ path, keyword }: SchemaError) =>
    told.finished || !(keyword === 'required' || (kind === 'table' && path.length === 0 && keyword === 'minItems'))
  const errors = all.filter(isAsked)
  if (errors.length === 0) return []
  const own = new Set(errors.filter(({ path }) => path.length === 0).map(({ keyword }) => keyword))
  const problem = (msg: string): SignProblem[] => [{ field: item.itemCode, label: item.itemName, msg }]
  if (own.has('required')) return problem(`${chosen.has(kind) ? '请选择' : '请输入'}${item.itemName}`)
  if (rows && own.size === 0) {
    return rows.flatMap((row, index) =>
      problemsOf(usedItems(item.columns ?? []), row, errorsBelow(errors, String(index)), told).map(found => ({
        field: `${item.itemCode}[${index}].${found.field}`,
        label: `${item.itemName}第${index + 1}条${found.label}`,
        msg: `第${index + 1}条：${found.msg}`,
      })),
    )
  }
  const has = (...keywords: readonly string[]) => keywords.some(keyword => own.has(keyword))
  const inside = errors.some(({ path }) => path.length > 0)
  return problem(sentences[kind]({ item, value, dicts: told.dicts, has, inside }))
}

const problemsOf = (
  items: readonly SignItem[],
  values: Content,
  errors: readonly SchemaError[],
  told: Told,
): SignProblem[] =>
  items.flatMap(item => itemProblems(item, values[item.itemCode], errorsBelow(errors, item.itemCode), told))

/**
 * Makes the check of an exam's own form for a position type.
 * @param compile what runs its schema: Ajv on the server, the interpreter in the browser
 */
export function formCheck(
  items: readonly SignItem[],
  { type, dicts = {} }: FormOptions,
  compile: CompileSchema,
): CheckForm {
  const used = usedItems(items, type)
  const errorsOf = compile(signForm(items, { type, dicts }))
  return (content, finished) => {
    const values = entered(used, content)
    return problemsOf(used, values, errorsOf(values), { dicts, finished })
  }
}
