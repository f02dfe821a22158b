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

async function english(): Promise<Record<string, string>> {
  const files = await Promise.all(Object.values(parts).map(load => load()))
  return Object.assign({}, ...files) as Record<string, string>
}

/** The language in use. */
export function language(): Language {
  return i18next.language === 'en' ? 'en' : 'zh'
}

/** The text in the language in use; `{{name}}` is filled from `vars`. In components use `useT`, which follows a switch. */
export function t(text: string, vars?: Record<string, unknown>): string {
  // A list says hundreds of words that stand as they are: those need no looking up.
  return vars || language() !== 'zh' ? i18next.t(text, vars) : text
}

function subscribe(changed: () => void): () => void {
  i18next.on('languageChanged', changed)
  return () => i18next.off('languageChanged', changed)
}

/** `t` for components: they are drawn again when the language changes. */
export function useT(): typeof t {
  useSyncExternalStore(subscribe, language)
  return t
}

/** Changes the language without a reload, and remembers it. */
export async function setLanguage(to: Language): Promise<void> {
  if (to === 'en' && !i18next.hasResourceBundle('en', 'translation')) {
    i18next.addResourceBundle('en', 'translation', await english())
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
