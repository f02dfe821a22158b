import { EnvironmentOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import type { CellProps } from './props.ts'

/** An address outside, opened in a window of its own that learns nothing of this one. */
export function OutsideLink({ field, value }: CellProps): ReactNode {
  const t = useT()
  const to = String(value)
  if (!to.startsWith('https://')) return null
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" title={t('在新窗口打开')}>
      <EnvironmentOutlined aria-hidden /> {t(field.title)}
    </a>
  )
}
