import type { Field } from './field.ts'

/** One system parameter: a setting that administrators change while the server runs. Plain JSON. */
export interface Parameter {
  /** Its name, its rules, and what it does (`help`). */
  readonly field: Field
  /** Value of a new installation. Parameters are stored as text. */
  readonly preset: string
  /** Stored value → word, where it is a choice. With `true` and `false` it is a switch. */
  readonly choices?: Readonly<Record<string, string>>
  /** Other values than the choices may be typed. */
  readonly open?: true
  /** What a number counts, shown behind it. */
  readonly unit?: string
  /** Holds for the whole installation: only the value of the platform's tenant counts. */
  readonly platform?: true
}

/** The rest of a parameter, beside its field. */
type Options = Omit<Parameter, 'field'>

/**
 * Defines a system parameter.
 * @param field its name, rules and help, as of any field: `text` or `integer`
 * @param options first value, choices, unit, reach
 */
export const parameter = (field: Field, options: Options): Parameter => ({ field, ...options })

/** The value of a switch. */
export const isSwitch = ({ choices }: Parameter): boolean =>
  choices !== undefined && Object.keys(choices).toSorted().join() === 'false,true'

function numberProblem({ minimum, maximum }: Field, text: string): string | null {
  if (!/^-?\d{1,15}$/.test(text)) return '请填写整数'
  if (minimum !== undefined && Number(text) < minimum) return `不能小于${minimum}`
  return maximum !== undefined && Number(text) > maximum ? `不能大于${maximum}` : null
}

/**
 * What is wrong with the value of a parameter.
 * @param text the value as it is stored
 * @returns a sentence in Chinese, or null when the value is right
 */
export function parameterProblem({ field, choices, open }: Parameter, text: string): string | null {
  if (text === '') return '不能为空'
  if (choices && !open) return text in choices ? null : '请选择列出的值'
  if (field.kind === 'integer') return numberProblem(field, text)
  if (field.maxLength !== undefined && text.length > field.maxLength) return `最多${field.maxLength}个字`
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(text)) return '格式不正确，请按说明填写'
  return null
}
