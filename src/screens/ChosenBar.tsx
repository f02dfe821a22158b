import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT, useVerb } from '../platform/i18n/i18n.ts'
import type { RowButton } from './ActionButtons.tsx'

/** Over the head of a table whose rows are chosen: how many, and what can be done to them. */
export default function ChosenBar({
  number,
  buttons,
  onClear,
}: {
  number: number
  buttons: readonly RowButton[]
  onClear: () => void
}): ReactNode {
  const t = useT()
  const verb = useVerb()
  return (
    <div className="chosen-bar" role="status">
      <strong>{t('已选 {{n}} 项', { n: number })}</strong>
      {buttons.map(({ key, label, danger, run }) => (
        <Button key={key} size="small" danger={danger} type={danger ? 'text' : 'default'} onClick={run}>
          {verb(label)}
        </Button>
      ))}
      <Button size="small" type="text" onClick={onClear}>
        {t('取消选择')}
      </Button>
    </div>
  )
}
