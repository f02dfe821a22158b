import { english } from '../helper/english.ts'

/** The languages pages can be asked for. */
export type Language = 'zh' | 'en'

let spoken: Language = 'zh'

/** Says which language the pages of this test file are in. */
export function speak(language: Language): void {
  spoken = language
}

/** The language of this test file's pages. */
export const language = (): Language => spoken

/**
 * A text of the pages in the language of the run, its `{{name}}` filled from `vars`.
 * @throws when it has no English and English is spoken
 */
export function t(chinese: string, vars: Readonly<Record<string, string | number>> = {}): string {
  const text = spoken === 'en' ? english[chinese] : chinese
  if (text === undefined) throw new Error(`no English for ${chinese}`)
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(vars[name]))
}

/** A text of a button that says what it does: English has a word of its own for some that are also called a thing. */
export const verb = (chinese: string): string => (spoken === 'en' ? english[`${chinese}_act`] : undefined) ?? t(chinese)

const plain = (text: string): string => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')

/** A pattern for a text of the pages; what `vars` does not give may be anything. */
export function like(chinese: string, vars: Readonly<Record<string, string | number>> = {}): RegExp {
  const names = [...chinese.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)
  const open = Object.fromEntries(names.map(name => [name, vars[name] ?? '\0']))
  return new RegExp(plain(t(chinese, open)).replaceAll('\0', '.*'))
}

/** A word as the pages show it: what has no English, such as names of people and places, stays as it is. */
export const word = (chinese: string): string => (spoken === 'en' ? (english[chinese] ?? chinese) : chinese)

/** A pattern for the name of a button, which may begin with that of its icon. */
export const buttonNamed = (chinese: string): RegExp => new RegExp(`(^|\\s)${plain(t(chinese))}$`)

/** A pattern for the name of a form's field; that of a required one has a star. */
export const fieldNamed = (chinese: string): RegExp => new RegExp(`^[*\\s]*${plain(t(chinese))}[*\\s]*$`)
