import i18next from 'i18next'
import { useSyncExternalStore } from 'react'

/** The languages offered. Chinese needs no file: its text is the key. */
export type Language = 'zh' | 'en'

const SAVED = 'juxian-lang'

/** Each part of the product brings its own English; all are one dictionary. */
const parts = import.meta.glob<Record<string, string>>(
  ['./locales/*.json', '../../../resources/english/*.json', '../channels/*/*/english.json'],
  { import: 'default' },
)

/** Of these one may be a sentence around names and numbers. */
const SENTENCES = '../../../resources/english/sentences.json'

let sentenceInEnglish = (text: string): string => text

async function loadEnglish(): Promise<void> {
  const [{ sentencesIn }, ...files] = await Promise.all([
    import('./rules/sentences.ts'),
    ...Object.values(parts).map(load => load()),
  ])
  const texts = Object.assign({}, ...files) as Record<string, string>
  i18next.addResourceBundle('en', 'translation', texts)
  sentenceInEnglish = sentencesIn(texts, files[Object.keys(parts).indexOf(SENTENCES)] ?? {})
}

/** The language in use. */
export function language(): Language {
  return i18next.language === 'en' ? 'en' : 'zh'
}

/**
 * The text in the language in use; `{{name}}` is filled from `vars`, and a number `n` chooses between the English of one and of
 * several (`_one`). In components use `useT`, which follows a switch.
 */
export function t(text: string, vars?: Record<string, unknown>): string {
  // A list says hundreds of words that stand as they are: those need no looking up.
  return vars || language() !== 'zh' ? i18next.t(text, vars && { count: vars.n as number, ...vars }) : text
}

/** What a button says: the word for doing it, where the same Chinese is also the name of the state that comes of it. */
export const verb = (text: string): string => t(text, language() === 'zh' ? undefined : { context: 'act' })

/** A sentence that a check or the server has made around names and numbers, in the language in use. */
export const sentence = (text: string): string => (language() === 'zh' ? text : sentenceInEnglish(text))

function subscribe(changed: () => void): () => void {
  i18next.on('languageChanged', changed)
  return () => i18next.off('languageChanged', changed)
}

/** `t` for components: they are drawn again when the language changes. */
export function useT(): typeof t {
  useSyncExternalStore(subscribe, language)
  return t
}

/** What buttons say, for components: they are drawn again when the language changes. */
export function useVerb(): typeof verb {
  useSyncExternalStore(subscribe, language)
  return verb
}

/** Changes the language without a reload, and remembers it. */
export async function setLanguage(to: Language): Promise<void> {
  if (to === 'en' && !i18next.hasResourceBundle('en', 'translation')) {
    await loadEnglish()
  }
  localStorage.setItem(SAVED, to)
  document.documentElement.lang = to === 'en' ? 'en' : 'zh-CN'
  await i18next.changeLanguage(to)
}

/** Starts with the saved language (Chinese at first). Call once, before anything is drawn. */
export async function startLanguage(): Promise<void> {
  await i18next.init({
    lng: 'zh',
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  })
  await setLanguage(localStorage.getItem(SAVED) === 'en' ? 'en' : 'zh')
}
