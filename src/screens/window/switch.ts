import { language, setLanguage, useT } from '../../platform/i18n/i18n.ts'
import { choose, useAppearance } from './appearance.ts'

/** The other language by its own name, and the change to it. */
export function useLanguageSwitch(): readonly [label: string, change: () => void] {
  useT()
  const isEnglish = language() === 'en'
  return [isEnglish ? '中文' : 'English', () => void setLanguage(isEnglish ? 'zh' : 'en')]
}

/** Whether it is dark, what the other is called, and the change to it. */
export function useDarkSwitch(): readonly [isDark: boolean, label: string, change: () => void] {
  const t = useT()
  const { appearance } = useAppearance()
  const isDark = appearance === 'dark'
  return [isDark, t(isDark ? '浅色' : '深色'), () => choose({ theme: isDark ? 'light' : 'dark' })]
}
