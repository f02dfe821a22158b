import { MoonOutlined, SunOutlined, TranslationOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { language, setLanguage, useT } from '../../platform/i18n/i18n.ts'
import { choose, useAppearance } from './appearance.ts'

/** Chinese or English, without a reload. */
export function LanguageSwitch(): ReactNode {
  useT()
  const isEnglish = language() === 'en'
  const label = isEnglish ? '中文' : 'English'
  return (
    <Button
      type="text"
      icon={<TranslationOutlined aria-hidden />}
      title={label}
      aria-label={label}
      onClick={() => setLanguage(isEnglish ? 'zh' : 'en')}
    />
  )
}

/** Light or dark. */
export function DarkSwitch(): ReactNode {
  const t = useT()
  const { appearance } = useAppearance()
  const isDark = appearance === 'dark'
  const label = t(isDark ? '浅色' : '深色')
  const icon = isDark ? <SunOutlined aria-hidden /> : <MoonOutlined aria-hidden />
  return (
    <Button
      type="text"
      icon={icon}
      title={label}
      aria-label={label}
      onClick={() => choose({ theme: isDark ? 'light' : 'dark' })}
    />
  )
}
