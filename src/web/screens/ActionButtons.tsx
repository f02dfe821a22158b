import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex } from 'antd'
import { useT } from '../i18n.ts'

/** One button at a row. */
export interface RowButton {
  readonly key: string
  /** In Chinese. */
  readonly label: string
  readonly danger?: boolean
  readonly run: () => void
}

/** Buttons shown before the rest goes into a menu. */
const SHOWN = 3

/** The buttons of a row: the first few, the rest in a menu. */
export function ActionButtons({ buttons, label }: { buttons: readonly RowButton[]; label: string }) {
  const t = useT()
  const first = buttons.length > SHOWN ? SHOWN - 1 : SHOWN
  const rest = buttons.slice(first)
  const items = rest.map(({ key, label: text, danger, run }) => ({ key, danger, label: t(text), onClick: run }))
  return (
    <Flex gap={4} wrap>
      {buttons.slice(0, first).map(one => (
        <Button
          key={one.key}
          type="link"
          size="small"
          danger={one.danger}
          onClick={one.run}
          style={{ paddingInline: 4 }}
        >
          {t(one.label)}
        </Button>
      ))}
      {items.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items }}>
          <Button
            type="text"
            size="small"
            icon={<EllipsisOutlined />}
            aria-label={t('{{name}}的更多操作', { name: label })}
          />
        </Dropdown>
      )}
    </Flex>
  )
}
