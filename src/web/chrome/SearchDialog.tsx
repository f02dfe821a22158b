import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRights } from '../../screens/providers/rights.ts'
import { MenuSearch } from './MenuSearch.tsx'

/** The search where the top bar has no room for it. */
export default function SearchDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const { rights } = useRights()
  return (
    <Modal title={t('搜索页面、考试、人员')} open={open} onCancel={onClose} footer={null} destroyOnHidden>
      <MenuSearch routes={rights?.routes ?? []} autoFocus onDone={onClose} />
      <p className="search-hint">
        {t(
          '页面按名称开头或拼音首字母查找，例如“zkz”；考试按名称、简称或代码；人员按报名号、准考证号、完整的手机号或证件号码。',
        )}
      </p>
    </Modal>
  )
}
