import {
  type Entity,
  type Field,
  holdsHidden,
  isDay,
  matches,
  missingMessage,
  noParent,
  submitSchema,
  writableFields,
} from '#engine'
import { isBlank } from '../engine/blank.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { type FieldProblem, fieldProblems, validatorCompiler } from '../platform/http/server/validation.ts'

/** Values of a row by field name: typed as code has them, sealed texts and secrets still plain. */
export type Values = Record<string, unknown>

/** A day without a time. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const instantPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** True for an instant that exists, `yyyy-MM-dd HH:mm:ss`. */
export function isInstant(text: string): boolean {
  if (!instantPattern.test(text) || !isDay(text.slice(0, 10))) return false
  return !Number.isNaN(new Date(`${text.replace(' ', 'T')}Z`).getTime())
}

/** True for a number that can be the id of a row. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= 9223372036854775807n

/** The ids of a comma list. @throws input.invalid when there is none, one is no id, or there are more than 500 */
export function readIds(list: unknown, key = 'ids'): string[] {
  const ids = [
    ...new Set(
      String(list ?? '')
        .split(',')
        .map(id => id.trim())
        .filter(Boolean),
    ),
  ]
  if (ids.length === 0)
    throw refuse('input.invalid', { 说明: `请选择数据（${key}）` }, [{ field: key, msg: '请选择数据' }])
  if (ids.length > 500) throw refuse('input.invalid', { 说明: '一次最多500条' }, [{ field: key, msg: '一次最多500条' }])
  if (!ids.every(isId)) throw refuse('input.invalid', { 说明: `${key}不是编号` }, [{ field: key, msg: '格式不正确' }])
  return ids
}

/** The refusal of a body with wrong fields. */
export const wrongInput = (problems: readonly FieldProblem[]) =>
  refuse('input.invalid', { 说明: problems.map(({ msg }) => msg).join('；') }, problems)

const wholeNumber = (field: Field) => field.type === 'integer'

/** 0 where a dictionary has no such key: what clients have in a row without one, such as the place of a button in a menu. */
const isNoKey = ({ kind, optional, enum: keys }: Field, value: unknown): boolean =>
  value === 0 && kind === 'dict' && optional === true && keys !== undefined && !keys.includes(0)

/** Brings a value to the form its kind has, as far as that is beyond doubt; everything else is left to the rules. */
function tidy(field: Field, value: unknown): unknown {
  if (field.kind === 'json') return value
  if (Array.isArray(value)) return value.join(',')
  if (typeof value === 'boolean') return field.kind === 'flag' ? Number(value) : value
  if (wholeNumber(field)) {
    const number = typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
    return isNoKey(field, number) ? '' : number
  }
  if (typeof value === 'number') return tidy(field, String(value))
  if (typeof value !== 'string') return value
  if (field.kind === 'secret' || field.kind === 'richText') return value
  const text = value.normalize('NFC')
  if (field.kind === 'longText') return isBlank(text) ? '' : text
  // No row has the id 0: it stands for no row, as the parent of what stands at the top.
  if (field.kind === 'ref' && text.trim() === noParent) return ''
  // Clients send days in the full form of instants.
  if (field.kind === 'date' && isInstant(text.trim())) return text.trim().slice(0, 10)
  return field.format === 'idCard' ? text.trim().toUpperCase() : text.trim()
}

const decimalPattern = /^-?\d{1,16}(\.\d{1,4})?$/

/** What a type in the database would refuse although it meets the schema; null when nothing is wrong. */
function typeProblem(field: Field, value: unknown): string | null {
  const wrong = `${field.title}格式不正确，请检查后重新填写`
  if (typeof value === 'number') return Math.abs(value) > 2147483647 ? `${field.title}超出范围` : null
  if (field.kind === 'json') return JSON.stringify(value).includes('\\u0000') ? wrong : null
  if (typeof value !== 'string' || value === '') return null
  if (value.includes('\0')) return wrong
  if ((field.kind === 'text' || field.kind === 'longText') && holdsHidden(value, field.kind === 'longText'))
    return `${field.title}含有不可见字符，请重新输入`
  if (field.kind === 'dateTime') return isInstant(value) ? null : wrong
  if (field.kind === 'date') return isDay(value) ? null : wrong
  if (field.kind === 'decimal') return decimalProblem(field, value)
  if (field.kind === 'dicts' && field.enum)
    return value.split(',').every(key => field.enum?.some(one => String(one) === key)) ? null : wrong
  if (field.kind === 'ref' || field.kind === 'refs' || field.kind === 'image' || field.kind === 'file')
    return value.split(',').every(isId) ? null : wrong
  return null
}

function decimalProblem({ title, minimum, maximum }: Field, value: string): string | null {
  if (!decimalPattern.test(value)) return `${title}应为数字，最多四位小数`
  if (minimum !== undefined && Number(value) < minimum) return `${title}不能小于${minimum}`
  return maximum !== undefined && Number(value) > maximum ? `${title}不能大于${maximum}` : null
}

type Check = ((value: unknown) => boolean) & { errors?: unknown; schema: object }
const checks = new Map<string, Check>()

/** The rules of a submit, compiled at first use. Lists of keys are checked one by one, so their closed list is taken out. */
function checkOf(entity: Entity, mode: 'add' | 'edit'): Check {
  const key = `${entity.name} ${mode}`
  const known = checks.get(key)
  if (known) return known
  const listed = ([name, field]: [string, Field]) => [
    name,
    field.kind === 'dicts' ? { ...field, enum: undefined } : field,
  ]
  const properties = Object.fromEntries(Object.entries(entity.properties).map(listed)) as Entity['properties']
  const schema = JSON.parse(JSON.stringify(submitSchema({ ...entity, properties }, mode))) as object
  const compiled = validatorCompiler({ schema, method: 'POST', url: '', httpPart: 'body' }) as Check
  const check = Object.assign(
    (value: unknown) => {
      const right = compiled(value) === true
      check.errors = compiled.errors
      return right
    },
    { schema },
  ) as Check
  checks.set(key, check)
  return check
}

/** The writable fields of a body in tidy form: unknown and server-filled fields are left out, whoever sends them. */
function pick(entity: Entity, body: Values, mode: 'add' | 'edit'): { values: Values; problems: FieldProblem[] } {
  const values: Values = {}
  const problems: FieldProblem[] = []
  for (const name of writableFields(entity)) {
    const field = entity.properties[name]
    const given = Object.hasOwn(body, name) ? body[name] : undefined
    if (!field || given === undefined || given === null) continue
    const value = tidy(field, given)
    if (value !== '' || field.optional) values[name] = value
    else if (mode === 'edit' && field.kind !== 'secret') problems.push({ field: name, msg: missingMessage(field) })
  }
  return { values, problems }
}

const toDate = (text: string) => new Date(`${text.replace(' ', 'T')}+08:00`)

/** Empty means no value; an instant becomes a Date. */
function stored(field: Field, value: unknown): unknown {
  if (value === '') return null
  return field.kind === 'dateTime' ? toDate(String(value)) : value
}

/**
 * Reads the body of a submit: what may be written, typed and checked against the entity's schema.
 * @param mode `add` wants every required field, `edit` only what changes; an absent or null field keeps its value, `""` empties it
 */
export function readInput(
  entity: Entity,
  body: unknown,
  mode: 'add' | 'edit',
): { values: Values; problems: FieldProblem[] } {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { values, problems } = pick(entity, isObject ? (body as Values) : {}, mode)
  const check = checkOf(entity, mode)
  if (!check(values)) problems.push(...fieldProblems(check.errors as never, check.schema))
  for (const [name, value] of Object.entries(values)) {
    const field = entity.properties[name] as Field
    const msg = problems.some(one => one.field === name) ? null : typeProblem(field, value)
    if (msg) problems.push({ field: name, msg })
  }
  const typed = Object.entries(values).map(([name, value]) => {
    const field = entity.properties[name] as Field
    return [name, problems.length > 0 ? value : stored(field, value)]
  })
  return { values: Object.fromEntries(typed), problems }
}

/**
 * Values with what `requiredWhen` says of them: a field is missing where its condition holds and it has no value, and has none
 * where the condition does not hold.
 * @param given values that were read and checked
 * @param under values that hold where nothing was given: the stored row, or the defaults of a new one
 */
export function askedValues(
  entity: Entity,
  given: Values,
  under: Values,
): { values: Values; problems: readonly FieldProblem[] } {
  const values = { ...given }
  const problems: FieldProblem[] = []
  for (const [name, condition] of Object.entries(entity.requiredWhen)) {
    const field = entity.properties[name] as Field
    const isAsked = matches({ ...under, ...values }, condition)
    // A secret never leaves the server: one that is not sent again stays.
    if (isAsked && field.kind === 'secret' && isBlank(values[name])) delete values[name]
    const isEmpty = isBlank({ ...under, ...values }[name])
    if (isAsked && isEmpty) problems.push({ field: name, msg: missingMessage(field) })
    else if (!isAsked && !isEmpty) values[name] = null
  }
  return { values, problems }
}

/** What `default` says of an instant that is the moment of the insert. */
const stamps: Readonly<Record<string, (now: Date) => unknown>> = { $now: now => now }

/** Values of a new row with the default of every field that has one and was left out, as clients leave out what they do not know. */
export function withDefaults(entity: Entity, values: Values, now: Date): Values {
  const left = Object.entries(entity.properties).filter(
    ([name, field]) => field.default !== undefined && !field.filled && values[name] === undefined,
  )
  const given = left.map(([name, { default: preset }]) => [name, stamps[String(preset)]?.(now) ?? preset])
  return { ...Object.fromEntries(given), ...values }
}
