import { CloseOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { HOME, type Tab } from './tab-list.ts'

/** The button that closes a tab; the home tab has none. Keyboards close by Delete, so it is no stop of theirs. */
export function CloseTab({ tab, onClose }: { tab: Tab; onClose: (tab: Tab) => void }): ReactNode {
  const t = useT()
  if (tab.path === HOME.path) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t('关闭 {{title}}', { title: t(tab.title) })}
      onClick={() => onClose(tab)}
    >
      <CloseOutlined aria-hidden />
    </button>
  )
}
