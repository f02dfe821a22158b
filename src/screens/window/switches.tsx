import { MoonOutlined, SunOutlined, TranslationOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useDarkSwitch, useLanguageSwitch } from './switch.ts'

/** Chinese or English, without a reload. */
export function LanguageSwitch(): ReactNode {
  const [label, change] = useLanguageSwitch()
  return (
    <Button type="text" icon={<TranslationOutlined aria-hidden />} title={label} aria-label={label} onClick={change} />
  )
}

/** Light or dark. */
export function DarkSwitch(): ReactNode {
  const [isDark, label, change] = useDarkSwitch()
  const icon = isDark ? <SunOutlined aria-hidden /> : <MoonOutlined aria-hidden />
  return <Button type="text" icon={icon} title={label} aria-label={label} onClick={change} />
}
