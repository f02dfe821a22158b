import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex } from 'antd'
import { useT } from '../i18n.ts'
import { textWidth } from './text-width.ts'

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
/** Pixels around the words of a button, those of the menu's button, those around all, and the least there must be. */
const [AROUND, MENU, EDGE, LEAST] = [12, 28, 32, 96]

const shownOf = <One,>(buttons: readonly One[]): readonly One[] =>
  buttons.slice(0, buttons.length > SHOWN ? SHOWN - 1 : SHOWN)

/** Pixels that the buttons of a row need to stand in one line. `labels` in the language in use. */
export function roomFor(labels: readonly string[]): number {
  const shown = shownOf(labels)
  const words = shown.reduce((sum, label) => sum + textWidth(label) + AROUND, 0)
  return Math.max(LEAST, words + (labels.length > shown.length ? MENU : 0) + EDGE)
}

/** The buttons of a row: the first few, the rest in a menu. */
export function ActionButtons({ buttons, label }: { buttons: readonly RowButton[]; label: string }) {
  const t = useT()
  const shown = shownOf(buttons)
  const rest = buttons.slice(shown.length)
  const items = rest.map(({ key, label: text, danger, run }) => ({ key, danger, label: t(text), onClick: run }))
  return (
    <Flex gap={4} wrap>
      {shown.map(one => (
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
