import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import './lazy-input.css'

/** A line of text of an input that has not come yet. */
export interface Line {
  /** Id that the same line of the real input has. */
  id: string
  /** What it is called, where no label stands beside it. */
  label?: string
  placeholder: string
  /** What it shows, when it has a value already. */
  text?: string | undefined
}

interface Props<Part> {
  /** Brings what the input is made of. */
  load: () => Promise<Part>
  /** Draws the input. */
  children: (part: Part) => ReactNode
  /** What stands there until then, drawn like the input. */
  lines: readonly Line[]
  /** Between two lines. */
  between?: ReactNode
  /** At the end. */
  icon?: ReactNode
  /** True when it is wanted before anybody touches it. */
  now: boolean
}

/** Where somebody was in the lines when the real input came. */
interface Place {
  id: string
  typed: string
  /** By pointer, which opens what a list or calendar has. */
  isPressed: boolean
}

const lineAt = (box: HTMLElement | null): HTMLInputElement | undefined => {
  const { activeElement } = document
  return activeElement instanceof HTMLInputElement && box?.contains(activeElement) ? activeElement : undefined
}

/** Types as a person does, so that whoever controls the input is told. */
function type(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Goes on in the real input where somebody was in its place. */
function resume({ id, typed, isPressed }: Place): void {
  const input = document.getElementById(id)
  if (!(input instanceof HTMLInputElement)) return
  input.focus()
  if (isPressed) input.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  if (isPressed) input.click()
  if (typed) type(input, typed)
}

/**
 * A large input whose program comes when somebody points at it or enters it. Until then lines stand in its place that look
 * like it and take the focus; focus, press and typed text go over to it.
 */
export function LazyInput<Part>({ load, children, lines, between, icon, now }: Props<Part>) {
  const box = useRef<HTMLDivElement>(null)
  const asked = useRef(false)
  const isPressed = useRef(false)
  const [part, setPart] = useState<{ part: Part }>()

  const bring = async (): Promise<void> => {
    if (asked.current) return
    asked.current = true
    try {
      const found = await load()
      const line = lineAt(box.current)
      const place = line && { id: line.id, typed: line.value, isPressed: isPressed.current }
      flushSync(() => setPart({ part: found }))
      if (place) resume(place)
    } catch (error) {
      // The nearest boundary says so, as for any part of the application that cannot be loaded.
      setPart(() => {
        throw error
      })
    }
  }
  useEffect(() => {
    if (now) void bring()
  })
  if (part) return children(part.part)
  const press = (): void => {
    isPressed.current = true
  }
  const leavePress = (): void => {
    isPressed.current = false
  }
  return (
    <div ref={box} className="lazy-input">
      {lines.map(({ id, label, placeholder, text }, at) => (
        // A label, so that what is drawn around a line belongs to it for a pointer.
        <label key={id} className="lazy-input-line">
          {at > 0 && <span className="lazy-input-between">{between}</span>}
          <input
            id={id}
            aria-label={label}
            placeholder={placeholder}
            defaultValue={text}
            autoComplete="off"
            onPointerEnter={bring}
            onPointerDown={press}
            onClick={press}
            onKeyDown={leavePress}
            onFocus={bring}
          />
          {at === lines.length - 1 && icon && <span className="lazy-input-icon">{icon}</span>}
        </label>
      ))}
    </div>
  )
}
