import { type Child, mostRows, type Resource } from '#engine'
import { Refusal } from '../platform/http/server/refusal.ts'
import type { FieldProblem } from '../platform/http/server/validation.ts'
import { type Values, wrongInput } from './input.ts'

/** What becomes of a row that a form holds beside its own. */
export type RowChange = 'remove' | 'edit' | 'add'

/** A row that a form holds beside its own, as a submit carries it. */
interface GivenRow {
  readonly child: Child
  /** Its place in the list that was sent. */
  readonly at: number
  readonly values: Values
  readonly what: RowChange
}

/** What is freed is free before it is taken: a row that goes leaves its unique values to one that comes. */
const order: readonly RowChange[] = ['remove', 'edit', 'add']

const isRow = (row: unknown): row is Values => typeof row === 'object' && row !== null && !Array.isArray(row)

/** What is given beside the id says what becomes of a row: nothing where there is nothing. */
function changeOf({ id, isDeleted, ...values }: Values): RowChange | null {
  if (id === undefined || id === null || id === '') return 'add'
  if (Number(isDeleted) === 1) return 'remove'
  return Object.keys(values).length > 0 ? 'edit' : null
}

/**
 * The rows that a submit carries under the names of its form's children, in the order in which they are written: a row without
 * an id is added, one with `isDeleted: 1` removed, one with other values changed. Rows of which there is nothing but the id, and rows
 * that are not named, stay as they are.
 * @throws input.invalid for what is no list of rows
 */
export function rowsGiven({ children }: Resource, body: Values): readonly GivenRow[] {
  const given = children.filter(child => child.in === 'form' && body[child.resource] !== undefined)
  const rows = given.flatMap(child => {
    const list = body[child.resource]
    if (!Array.isArray(list) || list.length > mostRows || !list.every(isRow))
      throw wrongInput([{ field: child.resource, msg: `${child.label}格式不正确，请检查后重新填写` }])
    return list.flatMap((values, at) => {
      const what = changeOf(values)
      return what ? [{ child, at, values, what }] : []
    })
  })
  return rows.toSorted((one, other) => order.indexOf(one.what) - order.indexOf(other.what))
}

const isProblem = (one: unknown): one is FieldProblem => isRow(one) && 'field' in one && 'msg' in one

/**
 * Names the row that a refusal is about.
 * @param path of the row in what was sent: its fields are named `<path>.field`
 * @param called what stands before the sentence
 */
export async function namingRow<T>(path: string, called: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, status, message, data } = error
    const inRow = (what: string): string => `${called}：${what}`
    const problems = Array.isArray(data) ? data.filter(isProblem) : []
    if (problems.length === 0) throw new Refusal(code, status, inRow(message), data)
    const named = problems.map(({ field, msg }) => ({ field: `${path}.${field}`, msg }))
    throw new Refusal(code, status, named.map(({ msg }) => inRow(msg)).join('；'), named)
  }
}
