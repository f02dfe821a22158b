import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useT, useVerb } from '../platform/i18n/i18n.ts'
import type { RowButton } from './ActionButtons.tsx'

/** The menu of what is done to several rows, quiet beside the other buttons. */
export default function BulkMenu({ buttons }: { buttons: readonly RowButton[] }): ReactNode {
  const t = useT()
  const verb = useVerb()
  const items = buttons.map(({ key, label, danger, run }) => ({ key, danger, label: verb(label), onClick: run }))
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button type="text" aria-haspopup="menu">
        {t('批量')} <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  )
}
