import { Button, Checkbox, Flex, InputNumber, Segmented } from 'antd'
import type { Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { LEAST, MOST } from './column-edges.ts'
import { columnTitle, columnWidth, shownColumns } from './columns.tsx'
import type { Density, TableSettings } from './table-settings.ts'

/** What is chosen of a table and how it changes. */
export interface ColumnProps {
  resource: Resource
  settings: TableSettings
  onChange: (settings: TableSettings) => void
}

/** The choices: columns with their widths, and density. */
export default function ColumnPanel({ resource, settings, onChange }: ColumnProps) {
  const t = useT()
  const shown = shownColumns(resource, settings).map(column => column.field)
  const densities: { value: Density; label: string }[] = [
    { value: 'large', label: t('宽松') },
    { value: 'medium', label: t('适中') },
    { value: 'small', label: t('紧凑') },
  ]
  return (
    <Flex vertical gap="middle" style={{ maxWidth: 320 }}>
      <Segmented
        block
        options={densities}
        value={settings.density}
        onChange={density => onChange({ ...settings, density })}
      />
      <Checkbox.Group
        value={shown}
        onChange={columns => columns.length > 0 && onChange({ ...settings, columns: columns as string[] })}
        style={{ flexDirection: 'column', flexWrap: 'nowrap', gap: 6, maxHeight: 320, overflowY: 'auto' }}
      >
        {resource.columns.map(column => {
          const { field } = column
          const title = columnTitle(resource, field)
          return (
            <Flex key={field} justify="space-between" align="center" gap="small">
              <Checkbox value={field}>{title}</Checkbox>
              {shown.includes(field) && (
                <InputNumber
                  size="small"
                  aria-label={t('{{title}}的宽度', { title })}
                  min={LEAST}
                  max={MOST}
                  step={10}
                  style={{ width: 76, flex: 'none' }}
                  value={columnWidth(resource, column, settings, field === shown[0])}
                  onChange={px => px && onChange({ ...settings, widths: { ...settings.widths, [field]: px } })}
                />
              )}
            </Flex>
          )
        })}
      </Checkbox.Group>
      <Button size="small" onClick={() => onChange({ density: 'medium' })}>
        {t('恢复默认')}
      </Button>
    </Flex>
  )
}
