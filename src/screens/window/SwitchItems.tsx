import type { ReactNode } from 'react'
import { useDarkSwitch, useLanguageSwitch } from './switch.ts'

/** The change of language and of light by their words, for a panel. */
export function SwitchItems(): ReactNode {
  const [language, changeLanguage] = useLanguageSwitch()
  const [, light, changeLight] = useDarkSwitch()
  return (
    <>
      <button type="button" className="fold-item" onClick={changeLanguage}>
        {language}
      </button>
      <button type="button" className="fold-item" onClick={changeLight}>
        {light}
      </button>
    </>
  )
}
