import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRights } from '../../screens/providers/rights.ts'
import { MenuSearch } from './MenuSearch.tsx'

/** The menu search where the top bar has no room for it. */
export default function SearchDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const { rights } = useRights()
  return (
    <Modal title={t('搜索菜单')} open={open} onCancel={onClose} footer={null} destroyOnHidden>
      <MenuSearch routes={rights?.routes ?? []} autoFocus onDone={onClose} />
      <p className="search-hint">{t('输入名称开头或拼音首字母，例如“zkz”。')}</p>
    </Modal>
  )
}
