import { inputType } from '../../modules/exams/rules/sign-item.ts'
import type { t as translate } from '../../platform/i18n/i18n.ts'

const chosen: ReadonlySet<number> = new Set([
  inputType.radio,
  inputType.checks,
  inputType.select,
  inputType.cascade,
] as number[])

/** An answer of a form in words: what was chosen in the language in use, what was written as it was written. */
export const answerText = (kind: number, text: string, t: typeof translate): string =>
  chosen.has(kind)
    ? text
        .split(/(、| )/)
        .map(word => t(word))
        .join('')
    : text
