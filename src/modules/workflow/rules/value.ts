import { FlowProblem } from './problem.ts'

/** A single value. */
export type Scalar = string | number | boolean | null
/** What a variable of a process can be: anything that JSON can hold. */
export type Value = Scalar | readonly Value[] | { readonly [name: string]: Value }
/** Variables by name. */
export type Variables = Readonly<Record<string, Value>>

/** A number as people and databases write it; `007` and `1e3` are texts. */
const decimal = /^\s*(-?)(0|[1-9]\d*)(?:\.(\d+))?\s*$/

/** A decimal number without loss: `units` × 10^-`places`. */
interface Decimal {
  readonly units: bigint
  readonly places: number
}

/** The number that a value is or spells; null for none. Ids and amounts have more digits than a float keeps. */
function decimalOf(value: Value): Decimal | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const [, minus, whole = '', fraction = ''] = decimal.exec(String(value)) ?? []
  if (whole === '') return null
  return { units: BigInt(`${minus}${whole}${fraction}`), places: fraction.length }
}

const scaled = ({ units, places }: Decimal, to: number): bigint => units * 10n ** BigInt(to - places)

/**
 * Puts two values into order: below, at or above 0; NaN for what has none. Numbers and texts that spell numbers are compared as
 * numbers, other texts by their characters.
 */
export function order(left: Value, right: Value): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [one, other] = [decimalOf(left), decimalOf(right)]
  if (one && other) {
    const places = Math.max(one.places, other.places)
    const [first, second] = [scaled(one, places), scaled(other, places)]
    return Number(first > second) - Number(first < second)
  }
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN
  return Number(left > right) - Number(left < right)
}

/** Whether two values are the same; `true` and the text `true` are, as forms send either. */
export function isSame(left: Value, right: Value): boolean {
  if (typeof left === 'boolean' && typeof right === 'string') return String(left) === right
  if (typeof right === 'boolean' && typeof left === 'string') return String(right) === left
  return left === right || order(left, right) === 0
}

/** Whether a value is a list. */
export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

/** Nothing at all, or something that holds nothing. */
export function isEmpty(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A value as it stands in a text: nothing for null, a list of single values joined with commas, else JSON. */
export function textOf(value: Value): string {
  if (value === null) return ''
  if (typeof value !== 'object') return String(value)
  const isPlain = isList(value) && value.every(one => one === null || typeof one !== 'object')
  return isPlain ? value.join(',') : JSON.stringify(value)
}

/** Signs of arithmetic. */
export type Operation = '+' | '-' | '*' | '/' | '%'

function numberOf(value: Value): number {
  const number = decimalOf(value) ? Number(value) : typeof value === 'number' ? value : Number.NaN
  if (Number.isFinite(number)) return number
  throw new FlowProblem(`不能用“${textOf(value).slice(0, 50) || '空值'}”计算`)
}

const results: Readonly<Record<Operation, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

/**
 * Calculates with numbers and texts that spell them. The result is rounded to 15 digits, so that 0.1 + 0.2 is 0.3.
 * @throws FlowProblem for anything else, and for dividing by 0
 */
export function calculate(operation: Operation, left: Value, right: Value): number {
  const [one, other] = [numberOf(left), numberOf(right)]
  if (other === 0 && (operation === '/' || operation === '%')) throw new FlowProblem('除数不能为0')
  const result = results[operation](one, other)
  if (!Number.isFinite(result)) throw new FlowProblem('计算结果过大')
  return Number(result.toPrecision(15))
}
