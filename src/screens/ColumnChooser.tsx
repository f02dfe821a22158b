import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import type { ColumnProps } from './ColumnPanel.tsx'

const ColumnPanel = lazy(() => import('./ColumnPanel.tsx'))

/** Which columns a table shows and how close its lines stand. */
export function ColumnChooser(props: ColumnProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const panel = (
    <Suspense fallback={null}>
      <ColumnPanel {...props} />
    </Suspense>
  )
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title={t('列设置')}
      content={panel}
      open={isOpen}
      onOpenChange={setOpen}
    >
      {/* An open panel has its name above it; a second layer would take the first Esc. */}
      <Tooltip title={isOpen ? '' : t('列设置')}>
        <Button icon={<SettingOutlined aria-hidden />} aria-label={t('列设置')} />
      </Tooltip>
    </Popover>
  )
}
