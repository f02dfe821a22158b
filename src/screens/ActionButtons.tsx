import { EllipsisOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { useRef, useState } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import { textWidth } from './text-width.ts'
import './row-buttons.css'

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

/** Pixels for a menu alone, under the heading of its column. */
const MENU_ALONE = 72

const shownOf = <One,>(buttons: readonly One[], compact: boolean): readonly One[] =>
  compact ? [] : buttons.slice(0, buttons.length > SHOWN ? SHOWN - 1 : SHOWN)

/**
 * Pixels that the buttons of a row need to stand in one line.
 * @param labels in the language in use
 * @param compact all of them stand in the menu
 */
export function roomFor(labels: readonly string[], compact = false): number {
  if (compact) return MENU_ALONE
  const shown = shownOf(labels, compact)
  const words = shown.reduce((sum, label) => sum + textWidth(label) + AROUND, 0)
  return Math.max(LEAST, words + (labels.length > shown.length ? MENU : 0) + EDGE)
}

/** The buttons that are not shown. Their menu is there only while it is open: most rows are only read. */
function More({ buttons, label }: { buttons: readonly RowButton[]; label: string }) {
  const t = useT()
  const sign = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const turn = (next: boolean): void => {
    setOpen(next)
    if (!next) sign.current?.focus()
  }
  const items = buttons.map(({ key, label: text, danger, run }) => ({ key, danger, label: t(text), onClick: run }))
  return (
    <span className="row-more">
      <button
        ref={sign}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => turn(true)}
      >
        <EllipsisOutlined aria-hidden />
      </button>
      {open && (
        <Dropdown open trigger={['click']} autoFocus menu={{ items }} onOpenChange={turn}>
          <i aria-hidden />
        </Dropdown>
      )}
    </span>
  )
}

interface Props {
  buttons: readonly RowButton[]
  label: string
  /** All of them stand in the menu. */
  compact?: boolean
}

/** The buttons of a row: the first few, the rest in a menu. Plain ones, for a list has dozens of them. */
export function ActionButtons({ buttons, label, compact = false }: Props) {
  const t = useT()
  const shown = shownOf(buttons, compact)
  const rest = buttons.slice(shown.length)
  return (
    <div className="row-buttons">
      {shown.map(({ key, label: text, danger, run }) => (
        <button key={key} type="button" data-danger={danger || undefined} onClick={run}>
          {t(text)}
        </button>
      ))}
      {rest.length > 0 && <More buttons={rest} label={t('{{name}}的更多操作', { name: label })} />}
    </div>
  )
}
