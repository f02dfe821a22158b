import { FormInputType } from '#schemas/dictionaries/sign-up'
import { isBlank, settled } from '../../../engine/blank.ts'
import { matches } from '../../../engine/condition.ts'
import type { DictEntry, Dicts } from '../../../engine/form-field.ts'
import { type Content, conditionOf, type SignItem, usedItems } from './sign-item.ts'
import { findEntry } from './sign-text.ts'

/** A titled part of the form and the item codes in it, in order. */
export interface SignGroup {
  name: string
  label: string
  codes: string[]
}

/**
 * The items a candidate sees now. An item whose `showWhen` names a hidden item is hidden as well: a value left over
 * from before it was hidden decides nothing.
 */
export function visibleItems<T extends SignItem>(items: readonly T[], content: Content, type?: string | null): T[] {
  let shown = usedItems(items, type)
  for (;;) {
    const codes = new Set(shown.map(item => item.itemCode))
    const known = Object.fromEntries(Object.entries(content).filter(([code]) => codes.has(code)))
    const left = shown.filter(item => matches(known, conditionOf(item.showWhen)))
    if (left.length === shown.length) return left
    shown = left
  }
}

function cleanValue(item: SignItem, given: unknown): unknown {
  const value = settled(given)
  if (typeof value === 'string') {
    if (item.inputType === FormInputType.idCard) return value.toUpperCase()
    return item.inputType === FormInputType.number && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  }
  if (item.inputType === FormInputType.table && Array.isArray(value)) return cleanRows(item, value)
  return value
}

/** Rows in which nothing was entered are dropped, so that an empty line of a table is no error. */
function cleanRows(item: SignItem, rows: readonly unknown[]): unknown[] {
  const isRow = (row: unknown): row is Content => typeof row === 'object' && row !== null && !Array.isArray(row)
  return rows
    .map(row => (isRow(row) ? cleanContent(item.columns ?? [], row) : row))
    .filter(row => !isRow(row) || Object.keys(row).length > 0)
}

/** The content as it is stored: only visible items, blanks left out, texts trimmed and in Unicode's composed form. */
export function cleanContent(items: readonly SignItem[], content: Content, type?: string | null): Content {
  const kept: Content = {}
  for (const item of visibleItems(items, content, type)) {
    const given = Object.hasOwn(content, item.itemCode) ? content[item.itemCode] : undefined
    const value = cleanValue(item, given)
    if (!isBlank(value) && item.inputType !== FormInputType.note) kept[item.itemCode] = value
  }
  return kept
}

/** The key that a word stands for, of a nationality also without its 族; what is a key or no word of the dictionary stays. */
function keyOf(entries: readonly DictEntry[], given: unknown): unknown {
  if (typeof given !== 'string' || findEntry(entries, given.trim())) return given
  const word = given.trim()
  const found = entries.filter(({ value }) => value === word || value === `${word}族`)
  return found.length === 1 ? found[0]?.key : given
}

/** The content with keys in place of the words of single choices: other clients may send what a person reads. */
export function withKeys(items: readonly SignItem[], content: Content, dicts: Dicts): Content {
  const kept = { ...content }
  for (const item of items) {
    const { itemCode: code, inputType: kind, columns } = item
    const entries = item.dictCode ? dicts[item.dictCode] : undefined
    const value = kept[code]
    if (entries && code in kept && (kind === FormInputType.select || kind === FormInputType.radio))
      kept[code] = keyOf(entries, value)
    if (kind === FormInputType.table && Array.isArray(value))
      kept[code] = value.map(row =>
        typeof row === 'object' && row !== null ? withKeys(columns ?? [], row as Content, dicts) : row,
      )
  }
  return kept
}

/** Items by their group, in the order in which each group first appears. */
export function groupsOf(items: readonly SignItem[], labels: readonly DictEntry[] = []): SignGroup[] {
  const groups = new Map<string, SignGroup>()
  for (const item of items) {
    const name = item.groupName || '9'
    const label = labels.find(entry => entry.key === name)?.value ?? (item.groupName || '其他')
    const group = groups.get(name) ?? { name, label, codes: [] }
    group.codes.push(item.itemCode)
    groups.set(name, group)
  }
  return [...groups.values()]
}
