import { EllipsisOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { useRef, useState } from 'react'
import type { Resource } from '#engine'
import { useT, useVerb } from '../platform/i18n/i18n.ts'
import { textWidth } from './text-width.ts'
import './row-buttons.css'

/** One button at a row. */
export interface RowButton {
  readonly key: string
  /** In Chinese. */
  readonly label: string
  readonly danger?: boolean
  /** Drawn where the definition names no other. */
  readonly first?: boolean
  /** Address of the page that it leads to. */
  readonly to?: string | undefined
  readonly run: () => void
}

/** Buttons shown at most where all of them may be. */
const SHOWN = 3
/** Pixels around the words of a button, those of the menu's button, those around all, and the least there must be. */
const [AROUND, MENU, EDGE, LEAST] = [12, 28, 32, 96]

/** Pixels for a menu alone, under the heading of its column. */
const MENU_ALONE = 72

/** The buttons of a row as they stand: those that are drawn, and those in the menu, what is dangerous last. */
export interface Arranged {
  readonly shown: readonly RowButton[]
  readonly rest: readonly RowButton[]
}

/** What is drawn where the definition says nothing. */
const USUAL = ['enter', 'edit']

/**
 * Which buttons of a row are drawn: the first that the definition names, or as many as there is room for where it wants all.
 * @param compact all of them stand in the menu
 */
export function arranged(buttons: readonly RowButton[], main: Resource['main'], compact = false): Arranged {
  if (main === 'all' && !compact) {
    const most = buttons.length > SHOWN ? SHOWN - 1 : SHOWN
    return { shown: buttons.slice(0, most), rest: buttons.slice(most) }
  }
  const named = (Array.isArray(main) ? main : USUAL).flatMap(name => buttons.find(({ key }) => key === name) ?? [])
  const harmless = buttons.filter(({ danger }) => !danger)
  const [one] = [...named, ...buttons.filter(({ first }) => first), ...harmless]
  const shown = compact || !one ? [] : [one]
  const rest = [...harmless, ...buttons.filter(({ danger }) => danger)].filter(other => !shown.includes(other))
  return { shown, rest }
}

/**
 * Pixels that the buttons of a row need to stand in one line.
 * @param say a text in the language in use
 */
export function roomFor({ shown, rest }: Arranged, say: (text: string) => string, compact = false): number {
  if (compact) return MENU_ALONE
  const words = shown.reduce((sum, { label }) => sum + textWidth(say(label)) + AROUND, 0)
  return Math.max(LEAST, words + (rest.length > 0 ? MENU : 0) + EDGE)
}

/** The buttons that are not shown. Their menu is there only while it is open: most rows are only read. */
export function More({ buttons, label }: { buttons: readonly RowButton[]; label: string }) {
  const verb = useVerb()
  const sign = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const turn = (next: boolean): void => {
    setOpen(next)
    if (!next) sign.current?.focus()
  }
  const items = buttons.map(({ key, label: text, danger, run }) => ({ key, danger, label: verb(text), onClick: run }))
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

/** The buttons of a row, some of them in a menu. Plain ones, for a list has dozens of them. */
export function ActionButtons({ buttons: { shown, rest }, label }: { buttons: Arranged; label: string }) {
  const t = useT()
  const verb = useVerb()
  return (
    <div className="row-buttons">
      {shown.map(({ key, label: text, danger, run }) => (
        <button key={key} type="button" data-danger={danger || undefined} onClick={run}>
          {verb(text)}
        </button>
      ))}
      {rest.length > 0 && <More buttons={rest} label={t('{{name}}的更多操作', { name: label })} />}
    </div>
  )
}
