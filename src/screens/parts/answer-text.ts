import { FormInputType } from '#schemas/dictionaries/sign-up'
import type { t as translate } from '../../platform/i18n/i18n.ts'

const chosen: ReadonlySet<number> = new Set([
  FormInputType.radio,
  FormInputType.checks,
  FormInputType.select,
  FormInputType.cascade,
] as number[])

/** An answer of a form in words: what was chosen in the language in use, what was written as it was written. */
export const answerText = (kind: number, text: string, t: typeof translate): string =>
  chosen.has(kind)
    ? text
        .split(/(、| )/)
        .map(word => t(word))
        .join('')
    : text
