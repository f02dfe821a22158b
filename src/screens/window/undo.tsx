import { Button } from 'antd'
import type { MessageInstance } from 'antd/es/message/interface'
import { t } from '../../platform/i18n/i18n.ts'
import { meantForPage } from './page-keys.ts'

/** Something that was just done. */
interface Undoable {
  /** What was done, in the language of the page. */
  said: string
  /** For how long it can be undone. */
  seconds: number
  /** Undoes it. */
  run: () => Promise<void>
  /** Opens what was done, to be taken back with a reason when it cannot be undone any more. */
  reopen?: () => void
}

let latest: { one: Undoable; isOpen: boolean; end: () => void } | undefined

/** What Z means once the latest of them cannot be undone any more: it is opened, and a reason asked for. */
export function reopenLatest(): void {
  if (latest && !latest.isOpen) latest.one.reopen?.()
}

/** Says what was done, and offers for a few seconds to undo it, by its button or the key Z, on whatever page. */
export function offerUndo(message: MessageInstance, one: Undoable): void {
  const key = 'undo'
  // One at a time: what was done before stands.
  latest?.end()
  const end = (): void => {
    mine.isOpen = false
    removeEventListener('keydown', onKey)
    clearTimeout(timer)
  }
  const mine = { one, isOpen: true, end }
  latest = mine
  const undo = (): void => {
    if (!mine.isOpen) return
    end()
    latest = undefined
    message.destroy(key)
    // A refusal has been shown.
    one.run().catch(() => undefined)
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'z' || !meantForPage(event)) return
    // The page behind hears nothing of it.
    event.stopImmediatePropagation()
    undo()
  }
  addEventListener('keydown', onKey)
  const timer = setTimeout(end, one.seconds * 1000)
  void message.open({
    key,
    type: 'success',
    duration: one.seconds,
    content: (
      <>
        {one.said}{' '}
        <Button type="link" size="small" onClick={undo}>
          {t('撤销 (Z)')}
        </Button>
      </>
    ),
  })
}
