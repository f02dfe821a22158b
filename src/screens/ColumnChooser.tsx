import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import type { ColumnProps } from './ColumnPanel.tsx'

const ColumnPanel = lazy(() => import('./ColumnPanel.tsx'))

/** Which columns a table shows and how close its lines stand. What opens is there once it is wanted: most lists are only read. */
export function ColumnChooser(props: ColumnProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const sign = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isWanted) sign.current?.focus()
  }, [isWanted])
  const want = (): void => {
    setWanted(true)
    setOpen(true)
  }
  const button = (
    <Button
      ref={sign}
      icon={<SettingOutlined aria-hidden />}
      aria-label={t('列设置')}
      // An open panel has its name above it.
      title={isOpen ? undefined : t('列设置')}
      onClick={isWanted ? undefined : want}
    />
  )
  if (!isWanted) return button
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
      {button}
    </Popover>
  )
}
