import { SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex, Popover, Segmented, Tooltip } from 'antd'
import type { Resource } from '#engine'
import { useT } from '../i18n.ts'
import { columnTitle, shownColumns } from './columns.tsx'
import type { Density, TableSettings } from './table-settings.ts'

interface Props {
  resource: Resource
  settings: TableSettings
  onChange: (settings: TableSettings) => void
}

/** Which columns a table shows and how close its lines stand. */
export function ColumnChooser({ resource, settings, onChange }: Props) {
  const t = useT()
  const shown = shownColumns(resource, settings).map(column => column.field)
  const densities: { value: Density; label: string }[] = [
    { value: 'large', label: t('宽松') },
    { value: 'medium', label: t('适中') },
    { value: 'small', label: t('紧凑') },
  ]
  const panel = (
    <Flex vertical gap="middle" style={{ maxWidth: 280 }}>
      <Segmented
        block
        options={densities}
        value={settings.density}
        onChange={density => onChange({ ...settings, density })}
      />
      <Checkbox.Group
        value={shown}
        onChange={columns => columns.length > 0 && onChange({ ...settings, columns: columns as string[] })}
        style={{ flexDirection: 'column', gap: 6, maxHeight: 320, overflowY: 'auto' }}
        options={resource.columns.map(({ field }) => ({ value: field, label: columnTitle(resource, field) }))}
      />
      <Button size="small" onClick={() => onChange({ density: 'medium' })}>
        {t('恢复默认')}
      </Button>
    </Flex>
  )
  return (
    <Popover trigger="click" placement="bottomRight" title={t('列设置')} content={panel}>
      <Tooltip title={t('列设置')}>
        <Button icon={<SettingOutlined />} aria-label={t('列设置')} />
      </Tooltip>
    </Popover>
  )
}
