import { Button, Checkbox, Flex, Segmented } from 'antd'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { columnTitle, shownColumns } from './columns.tsx'
import type { Density, TableSettings } from './table-settings.ts'

/** What is chosen of a table and how it changes. */
export interface ColumnProps {
  resource: Resource
  settings: TableSettings
  onChange: (settings: TableSettings) => void
}

/** The choices: columns and density. */
export default function ColumnPanel({ resource, settings, onChange }: ColumnProps) {
  const t = useT()
  const shown = shownColumns(resource, settings).map(column => column.field)
  const densities: { value: Density; label: string }[] = [
    { value: 'large', label: t('宽松') },
    { value: 'medium', label: t('适中') },
    { value: 'small', label: t('紧凑') },
  ]
  return (
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
}
