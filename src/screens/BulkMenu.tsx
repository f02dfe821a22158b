import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import type { RowButton } from './ActionButtons.tsx'
import { actionsAt, idOf } from './actions.ts'
import type { Actions } from './use-actions.tsx'
import type { TableRow } from './use-rows.ts'

interface Chosen {
  resource: Resource
  may: (what: string) => boolean
  actions: Actions
  chosen: readonly TableRow[]
  remove: (ids: readonly string[]) => void
  /** Says that nothing is chosen. */
  warn: () => void
}

/** What is done to several rows at once: the actions of the definition, deleting last. */
export function bulkButtons({ resource, may, actions, chosen, remove, warn }: Chosen): readonly RowButton[] {
  const own = actionsAt(resource, 'rows')
    .filter(action => may(action.name))
    .map(action => ({
      key: action.name,
      label: action.label,
      danger: action.danger,
      run: () => (chosen.length > 0 ? actions.start(action, chosen) : warn()),
    }))
  const removing = {
    key: 'remove',
    label: '删除',
    danger: true,
    run: () => remove(chosen.map(row => idOf(resource, row))),
  }
  return may('remove') ? [...own, removing] : own
}

/** The menu of what is done to several rows, quiet beside the other buttons. */
export function BulkMenu({ buttons }: { buttons: readonly RowButton[] }): ReactNode {
  const t = useT()
  const items = buttons.map(({ key, label, danger, run }) => ({ key, danger, label: t(label), onClick: run }))
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button type="text" aria-haspopup="menu">
        {t('批量')} <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  )
}
