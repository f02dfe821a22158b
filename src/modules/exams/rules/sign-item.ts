import { isBlank } from '../../../engine/blank.ts'

/** What a candidate filled in: item code to value. See {@link InputType} for the shape of each value. */
export type Content = Record<string, unknown>

/** One choice of a dictionary; `children` make it a tree for cascading inputs. */
export interface DictEntry {
  key: string
  value: string
  children?: readonly DictEntry[]
}

/** Dictionary code to its choices. */
export type Dicts = Readonly<Record<string, readonly DictEntry[]>>

/** Limits of one item. `min` and `max` bound a number, a date, the ticks of `checks` or the rows of `table`. */
export interface SignRules {
  min?: number | string | null
  max?: number | string | null
  maxLength?: number | null
  regex?: string | null
  regexMsg?: string | null
}

/** Item code to the values that let something show; every code must match one of its values. */
export type ShowWhen = Readonly<Record<string, readonly unknown[]>>

/** A field an exam asks for: a row of `examsignitems`, or a column of a sub-table. */
export interface SignItem {
  itemCode: string
  itemName: string
  groupName?: string | null
  inputType: number
  dictCode?: string | null
  required?: number | boolean | null
  rules?: SignRules | null
  showWhen?: ShowWhen | null
  /** Comma list of position types that ask for it; empty asks everybody. */
  applyTypes?: string | null
  columns?: readonly SignItem[] | null
  /** Grid columns of 24. */
  span?: number | null
  sort?: number | null
  enable?: number | boolean | null
  placeholder?: string | null
  inPrint?: number | boolean | null
}

/** True for 1, true and anything but 0, false and nothing. */
export const on = (flag: number | boolean | null | undefined): boolean => flag === true || flag === 1

/** Splits a comma list, dropping blanks. */
export const listOf = (text: string | null | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** True when every condition of `when` holds for `values`; a list matches when any of its members does. */
export function holds(when: ShowWhen | null | undefined, values: Content): boolean {
  return Object.entries(when ?? {}).every(([code, wanted]) => {
    const value = values[code]
    const held = (Array.isArray(value) ? value : [value]).map(String)
    return !isBlank(value) && wanted.some(one => held.includes(String(one)))
  })
}
