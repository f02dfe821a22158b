import { Card, Flex, Segmented, Typography } from 'antd'
import { useState } from 'react'
import { useDictionary } from '../../fields/dictionary.ts'
import { useT } from '../../i18n.ts'
import type { FormInfo, FormItem } from './types.ts'

const widths = { phone: 360, desk: 860 } as const

/** How one field looks: its label, the mark of a required one, and the words it offers. */
function Line({ item, dicts }: { item: FormItem; dicts: FormInfo['dicts'] }) {
  const t = useT()
  const words = (dicts[item.dictCode] ?? []).map(one => one.value)
  const inner = item.columns
    ? item.columns.map(column => t(column.itemName)).join(' · ')
    : words.slice(0, 6).join(' / ') + (words.length > 6 ? ' …' : '')
  return (
    <div style={{ flex: '1 1 280px', minWidth: 0 }}>
      <div>
        {item.required === 1 && <span style={{ color: 'var(--jx-bad)' }}>* </span>}
        {t(item.itemName)}
      </div>
      <div
        style={{
          marginTop: 4,
          padding: '7px 11px',
          minHeight: 36,
          border: '1px solid var(--jx-line)',
          borderRadius: 'var(--jx-radius)',
          color: 'var(--jx-ink-3)',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
        }}
      >
        {inner || ' '}
      </div>
    </div>
  )
}

/** The form as a candidate meets it, on a phone or at a desk. */
export function FormPreview({ form }: { form: FormInfo }) {
  const t = useT()
  const [where, setWhere] = useState<keyof typeof widths>('phone')
  const groups = useDictionary('item_group')
  const shown = form.items.filter(item => item.enable === 1)
  const names = [...new Set(shown.map(item => item.groupName))]
  return (
    <Flex vertical gap={12} align="center">
      <Segmented
        value={where}
        onChange={value => setWhere(value as keyof typeof widths)}
        options={[
          { value: 'phone', label: t('手机') },
          { value: 'desk', label: t('电脑') },
        ]}
      />
      <Flex vertical gap={12} style={{ width: '100%', maxWidth: widths[where] }}>
        {names.map(name => (
          <Card key={name} size="small" title={t(groups.word(name) || '其他')}>
            <Flex wrap gap={12}>
              {shown
                .filter(item => item.groupName === name)
                .map(item => (
                  <Line key={item.id} item={item} dicts={form.dicts} />
                ))}
            </Flex>
          </Card>
        ))}
        <Card size="small" title={t('照片与附件')}>
          {form.files
            .filter(file => file.enable === 1)
            .map(file => (
              <Flex key={file.id} justify="space-between" gap={8} style={{ paddingBlock: 6 }}>
                <span>
                  {file.required === 1 && <span style={{ color: 'var(--jx-bad)' }}>* </span>}
                  {t(file.fileName)}
                </span>
                <Typography.Text type="secondary">
                  {file.exts} · ≤ {file.maxSize} KB · {t('最多 {{n}} 份', { n: file.maxNum })}
                </Typography.Text>
              </Flex>
            ))}
        </Card>
      </Flex>
    </Flex>
  )
}
