import { useSyncExternalStore } from 'react'
import { DEFAULT_COLOUR } from '../palette.ts'
import type { Appearance } from '../theme.ts'
import { START_STYLE } from './styles.ts'

/** What a person chose: an appearance (`auto` follows the device), a colour, a theme of the sidebar. */
export interface Choice {
  theme: Appearance | 'auto'
  colour: string
  style: string
}

const NAMES = { theme: 'juxian-theme', colour: 'juxian-colour', style: 'juxian-style' } as const

const night = matchMedia('(prefers-color-scheme: dark)')
const still = matchMedia('(prefers-reduced-motion: reduce)')

/** What the choice comes to on this device: an appearance, and whether things may move. */
export interface Shown extends Choice {
  appearance: Appearance
  motion: boolean
}

const listeners = new Set<() => void>()

function read(): Choice {
  const theme = localStorage.getItem(NAMES.theme)
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    colour: localStorage.getItem(NAMES.colour) ?? DEFAULT_COLOUR,
    style: localStorage.getItem(NAMES.style) ?? START_STYLE,
  }
}

let choice = read()
let shown = show()

function show(): Shown {
  const appearance = choice.theme === 'auto' ? (night.matches ? 'dark' : 'light') : choice.theme
  document.documentElement.dataset.theme = appearance
  document.documentElement.dataset.style = choice.style
  return { ...choice, appearance, motion: !still.matches }
}

function refresh(): void {
  choice = read()
  shown = show()
  for (const listener of listeners) listener()
}

night.addEventListener('change', refresh)
still.addEventListener('change', refresh)
addEventListener('storage', refresh)

/** Changes part of the choice and remembers it. */
export function choose(part: Partial<Choice>): void {
  for (const [name, value] of Object.entries(part)) localStorage.setItem(NAMES[name as keyof Choice], value)
  refresh()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice and what it comes to now. */
export function useAppearance(): Shown {
  return useSyncExternalStore(subscribe, () => shown)
}
