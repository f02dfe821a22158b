import { EnvironmentOutlined, ExportOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import type { CellProps } from './props.ts'

/** An address outside, or of a page for everybody, opened in a window of its own that learns nothing of this one. */
export function OutsideLink({ field, value }: CellProps): ReactNode {
  const t = useT()
  const to = String(value)
  const isPublic = to.startsWith('/public/')
  if (!to.startsWith('https://') && !isPublic) return null
  const Sign = isPublic ? ExportOutlined : EnvironmentOutlined
  return (
    <a href={to} target="_blank" rel="noopener noreferrer" title={t('在新窗口打开')}>
      <Sign aria-hidden /> {t(field.title)}
    </a>
  )
}
