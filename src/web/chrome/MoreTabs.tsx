import { EllipsisOutlined } from '@ant-design/icons'
import { useT } from '../../platform/i18n/i18n.ts'

/** The sign for tabs that have no room. Its button stands among tabs, so it is one for screen readers. */
export function MoreTabs() {
  const t = useT()
  return <EllipsisOutlined aria-label={t('更多')} ref={sign => sign?.closest('button')?.setAttribute('role', 'tab')} />
}
