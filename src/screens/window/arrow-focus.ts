import type { KeyboardEvent } from 'react'

/** How far a key leads in a row or a column; the ends of the line for Home and End. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Moves the focus among the elements that `which` selects inside the listening one. Answers whether the key was for that. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, which: string): boolean {
  const step = STEPS[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return false
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(which)]
  const at = all.indexOf(event.target as HTMLElement)
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))]
  event.preventDefault()
  next?.focus()
  return true
}
