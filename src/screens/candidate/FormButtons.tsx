import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

interface Props {
  /** What sending does, as the Chinese text. */
  action: string
  danger?: boolean
  busy: boolean
  onCancel: () => void
}

/** The end of a small form: send it, or leave it. */
export function FormButtons({ action, danger, busy, onCancel }: Props): ReactNode {
  const t = useT()
  return (
    <div className="my-words">
      <Button htmlType="submit" type="primary" size="large" danger={danger} loading={busy}>
        {t(action)}
      </Button>
      <Button size="large" onClick={onCancel}>
        {t('取消')}
      </Button>
    </div>
  )
}
