import { FormInputType } from '#schemas/dictionaries/sign-up'
import { isBlank } from '../../../engine/blank.ts'
import type { DictEntry, Dicts } from '../../../engine/form-field.ts'
import type { SignItem } from './sign-item.ts'

/** The entry with this key, looked for from the given level downwards. */
export function findEntry(entries: readonly DictEntry[] | undefined, key: string): DictEntry | undefined {
  for (const entry of entries ?? []) {
    if (entry.key === key) return entry
    const below = findEntry(entry.children, key)
    if (below) return below
  }
  return undefined
}

/** The words of a stored key; the key itself when the dictionary no longer knows it. */
export const optionText = (entries: readonly DictEntry[] | undefined, key: unknown): string =>
  isBlank(key) ? '' : (findEntry(entries, String(key))?.value ?? String(key))

/** A value in words, for print, lists and workbooks; `""` when nothing was entered. Tables give one line per row. */
export function showValue(item: SignItem, value: unknown, dicts: Dicts = {}): string {
  if (isBlank(value)) return ''
  const entries =
    item.inputType === FormInputType.region ? dicts.region : item.dictCode ? dicts[item.dictCode] : undefined
  if (item.inputType === FormInputType.table) return tableLines(item, value, dicts).join('\n')
  if (!Array.isArray(value)) return optionText(entries, value)
  const separator = item.inputType === FormInputType.checks ? '、' : ' '
  return value.map(key => optionText(entries, key)).join(separator)
}

function tableLines(item: SignItem, rows: unknown, dicts: Dicts): string[] {
  if (!Array.isArray(rows)) return []
  return rows.map((row: Record<string, unknown>) =>
    (item.columns ?? []).map(column => showValue(column, row?.[column.itemCode], dicts)).join(' '),
  )
}
