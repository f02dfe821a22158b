import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Saving } from './use-sheet.ts'

const words: Record<Saving, string> = {
  clean: '',
  changed: '有未保存的修改',
  saving: '正在保存…',
  saved: '草稿已保存',
  offline: '网络不通，内容已保存在本机，联网后自动上传',
  kept: '修改已保存在本机，提交后生效',
  conflict: '别处有较新的内容',
  refused: '未能保存到服务器，内容仍在本机',
}

/** The way back and forwards, in the thumb's reach, and what has become of the changes. */
export function WizardFoot({
  saving,
  busy,
  isLast,
  onBack,
  onNext,
}: {
  saving: Saving
  busy: boolean
  isLast: boolean
  onBack?: () => void
  onNext: () => void
}): ReactNode {
  const t = useT()
  return (
    <footer className="sign-foot">
      <p role="status" data-tone={saving === 'offline' || saving === 'refused' ? 'warn' : undefined}>
        {words[saving] && t(words[saving])}
      </p>
      <div className="sign-buttons">
        {onBack && (
          <Button size="large" onClick={onBack}>
            {t('上一步')}
          </Button>
        )}
        <Button size="large" type="primary" loading={busy} onClick={onNext}>
          {t(isLast ? '提交报名' : '下一步')}
        </Button>
      </div>
    </footer>
  )
}
