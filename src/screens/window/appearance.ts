import { useSyncExternalStore } from 'react'
import { barThemeOf, DEFAULT_LOOK, FORCED_LOOK, fillOf, type Look, variablesOf } from './bar-theme.ts'
import { type Appearance, DEFAULT_COLOUR } from './palette.ts'

/** What a person chose: an appearance (`auto` follows the device), a colour, a theme by name, empty for none. */
export interface Choice {
  theme: Appearance | 'auto'
  colour: string
  style: string
}

const NAMES = { theme: 'juxian-theme', colour: 'juxian-colour', style: 'juxian-style' } as const

const night = matchMedia('(prefers-color-scheme: dark)')
const still = matchMedia('(prefers-reduced-motion: reduce)')
/** Paper is white, whatever the screen is. */
const paper = matchMedia('print')

/** What the choice comes to on this device: an appearance, what is worn, and whether things may move. */
export interface Shown extends Choice {
  appearance: Appearance
  look: Look
  motion: boolean
}

const listeners = new Set<() => void>()

function read(): Choice {
  const theme = localStorage.getItem(NAMES.theme)
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    colour: localStorage.getItem(NAMES.colour) ?? DEFAULT_COLOUR,
    style: localStorage.getItem(NAMES.style) ?? '',
  }
}

/** Themes that need not be fetched. */
const NEAR: readonly Look[] = [DEFAULT_LOOK, FORCED_LOOK]

const fetchLooks = () => import('./looks.ts')

let look = DEFAULT_LOOK
let wanted = look.name
let shown = show()

/** Puts the colours on the document before anything is drawn with them. */
function show(): Shown {
  const choice = read()
  const onScreen = choice.theme === 'auto' ? (night.matches ? 'dark' : 'light') : choice.theme
  const appearance = paper.matches ? 'light' : onScreen
  const { dataset, style } = document.documentElement
  Object.assign(dataset, { theme: appearance, style: look.name, tabs: look.tabs, mark: look.mark, card: look.card })
  const theme = barThemeOf(look, appearance, choice.colour)
  const variables = { ...variablesOf(theme), ...fillOf(theme, localStorage.getItem(NAMES.colour) ?? undefined) }
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, value)
  return { ...choice, appearance, look, motion: !still.matches }
}

function refresh(): void {
  shown = show()
  for (const listener of listeners) listener()
}

night.addEventListener('change', refresh)
still.addEventListener('change', refresh)
paper.addEventListener('change', refresh)
addEventListener('storage', refresh)

/** Changes part of the choice and remembers it. */
export function choose(part: Partial<Choice>): void {
  for (const [name, value] of Object.entries(part)) localStorage.setItem(NAMES[name as keyof Choice], value)
  refresh()
}

function putOn(name: string, next: Look): void {
  if (name !== wanted || next === look) return
  look = next
  refresh()
}

/** Applies a theme by its name, or the console's own for a name that nobody knows. What the person chose is not touched. */
export function applyLook(name: string): void {
  wanted = name
  const near = NEAR.find(one => one.name === name)
  if (near) putOn(name, near)
  else
    fetchLooks().then(
      ({ LOOKS }) => putOn(name, LOOKS.find(one => one.name === name) ?? FORCED_LOOK),
      // Without the table the window keeps the look it has.
      () => undefined,
    )
}

// Who chose a theme is to see no other one before it: its table comes along with the rest of the application.
if (shown.style) fetchLooks().catch(() => undefined)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice and what it comes to now. */
export function useAppearance(): Shown {
  return useSyncExternalStore(subscribe, () => shown)
}
