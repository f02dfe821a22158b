import { commaList } from '#engine'
import { isBlank } from '../../../engine/blank.ts'
import type { Condition } from '../../../engine/condition.ts'

/** What a candidate filled in: item code to value. See {@link InputType} for the shape of each value. */
export type Content = Record<string, unknown>

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

/** A value as it may stand in a filled form: a text, and the number that is written like it. */
const eitherWay = (value: unknown): (string | number)[] => {
  const text = String(value)
  return String(Number(text)) === text ? [text, Number(text)] : [text]
}

/** `showWhen` as a condition on what is filled in. Keys are stored as texts or as numbers and mean the same. */
export const conditionOf = (when: ShowWhen | null | undefined): Condition =>
  Object.fromEntries(
    Object.entries(when ?? {}).map(([code, wanted]) => [code, wanted.filter(one => !isBlank(one)).flatMap(eitherWay)]),
  )

/** The items in use for a position type, in order: enabled, and asked of this type. Without a type only the general ones. */
export function usedItems<T extends SignItem>(items: readonly T[], type?: string | null): T[] {
  const applies = (item: SignItem) => {
    const types = commaList(item.applyTypes)
    return types.length === 0 || (!!type && types.includes(type))
  }
  return items
    .filter(item => (item.enable ?? 1) !== 0 && item.enable !== false && applies(item))
    .sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0))
}
