import { sizes } from '../../tests/e2e/browser.ts'
import type { Language } from '../../tests/e2e/words.ts'

type Size = keyof typeof sizes
export type Scheme = 'light' | 'dark'

/** A window that pages are looked at in; it changes between its schemes without loading anew. */
export interface Variant {
  readonly size: Size
  readonly language: Language
  readonly schemes: readonly Scheme[]
}

/** `desk-dark-en`, as `--variant` and the folders of pictures say it. */
export const nameOf = ({ size, language }: Variant, scheme: Scheme): string => `${size}-${scheme}-${language}`

const { LOOK_VARIANT = '', LOOK_PAGE = '' } = process.env
const variantAsked = new RegExp(LOOK_VARIANT)
const pageAsked = new RegExp(LOOK_PAGE)

/** The windows asked for with `--variant`, a pattern; all of them without it. */
export const variants: readonly Variant[] = (Object.keys(sizes) as Size[])
  .flatMap(size => (['zh', 'en'] as const).map(language => ({ size, language, schemes: ['light', 'dark'] as const })))
  .map(one => ({ ...one, schemes: one.schemes.filter(scheme => variantAsked.test(nameOf(one, scheme))) }))
  .filter(one => one.schemes.length > 0)

/** Whether a page is asked for with `--page`, a pattern; all are without it. */
export const isAsked = (page: string): boolean => pageAsked.test(page)
