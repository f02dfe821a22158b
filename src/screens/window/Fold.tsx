import { type FocusEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import './fold.css'

interface Props {
  /** Words of the button. */
  face: ReactNode
  /** What the button is called where its face has no words. */
  label?: string
  className?: string
  children: ReactNode
}

/** A button with a panel below it. Esc, a press elsewhere and whatever is chosen in it close it. */
export function Fold({ face, label, className = '', children }: Props): ReactNode {
  const [open, setOpen] = useState(false)
  const leave = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
  }
  const close = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Escape' || !open) return
    setOpen(false)
    event.currentTarget.querySelector('button')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens to what happens to the controls in it
    <div className={`fold ${className}`} tabIndex={-1} onBlur={leave} onKeyDown={close}>
      <button
        type="button"
        className="fold-face"
        aria-label={label}
        title={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: what is pressed are the controls in it */}
      <div className="fold-panel" data-open={open || undefined} onClick={() => setOpen(false)}>
        {children}
      </div>
    </div>
  )
}
