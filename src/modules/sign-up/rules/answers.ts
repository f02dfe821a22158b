import { FormInputType } from '#schemas/dictionaries/sign-up'
import { type AnswerField, answerFields, answerNames } from '#schemas/sign-up/signup-parts'
import type { Content, SignItem } from '../../exams/rules/sign-item.ts'

/** An answer that a column can keep: a key of the column's own dictionary, or a text where it has none. */
function answerFor(name: AnswerField, items: readonly SignItem[], content: Content): string | null {
  const field = answerFields[name]
  const item = items.find(one => one.itemCode === name && one.inputType !== FormInputType.note)
  const value = content[name]
  if (!item || typeof value !== 'string' || (item.dictCode ?? undefined) !== field.dict) return null
  return field.maxLength !== undefined && value.length > field.maxLength ? null : value
}

/**
 * The answers of a filled form that columns keep beside it, by the code of their item. An exam that does not ask, or asks
 * otherwise than the column is typed, leaves the column empty.
 * @param content as {@link cleanContent} leaves it
 */
export const storedAnswers = (items: readonly SignItem[], content: Content): Record<AnswerField, string | null> =>
  Object.fromEntries(answerNames.map(name => [name, answerFor(name, items, content)])) as Record<
    AnswerField,
    string | null
  >
