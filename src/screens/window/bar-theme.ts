import { contrast, mix, READABLE, towards } from './colour.ts'
import { type Appearance, DEFAULT_COLOUR, type Palette, palettes } from './palette.ts'

/** What a bar stands on: a surface of the page, or colours of its own, from one to the other, by day and by night. */
export type Background = 'surface' | 'bg' | readonly [from: string, to: string]

/** One of the themes: how the console looks, before the person's own colour. */
export interface Look {
  readonly name: string
  /** Chinese, the translation key. */
  readonly label: string
  /** The accent while the person has not chosen a colour; the palette's own where it is not given. */
  readonly accent?: readonly [day: string, night: string]
  /** What the page, its lines and quiet blocks have a breath of. */
  readonly tint?: string
  /** Colours of the palette that this theme has otherwise. */
  readonly day?: Partial<Palette>
  readonly night?: Partial<Palette>
  readonly side: Background
  readonly top: Background
  /** Text on bars with colours of their own: quiet, and strong. */
  readonly ink?: readonly [quiet: string, strong: string]
  /** Shape of the open pages' tabs. */
  readonly tabs: 'pill' | 'line' | 'card' | 'chip'
  /** What tells the open page's menu item. */
  readonly mark: 'soft' | 'fill' | 'edge'
  /** What sets a block off from the page. */
  readonly card: 'line' | 'shadow' | 'cap'
  /** Pixels. */
  readonly radius: number
  /** Height of inputs and buttons in pixels; all else that is roomy or tight follows it. */
  readonly control: 32 | 36 | 40
}

/** The theme that everything wears from the start, and that nothing but the console's top bar changes. */
export const DEFAULT_LOOK: Look = {
  name: 'hey',
  label: '素净',
  side: ['#123252', '#0c2038'],
  top: 'surface',
  tabs: 'chip',
  mark: 'fill',
  card: 'shadow',
  radius: 8,
  control: 36,
}

/** The theme that the console's top bar puts in its place, for whoever has chosen none. It differs only where the console is. */
export const FORCED_LOOK: Look = {
  ...DEFAULT_LOOK,
  name: 'smart',
  label: '智慧',
  side: ['#10243a', '#10243a'],
  tabs: 'pill',
  mark: 'soft',
  card: 'line',
}

/** The colours of a bar. */
export interface Bar {
  from: string
  to: string
  ink: string
  /** Text of what is pointed at or open. */
  strong: string
  hover: string
  active: string
}

/** A theme with a chosen colour, by day or by night: every colour it comes to. */
export interface BarTheme {
  readonly look: Look
  readonly palette: Palette
  readonly side: Bar
  readonly top: Bar
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/** How much of the tint is in what, and of the accent in its pale form. */
const SHARES = {
  light: { bg: 0.05, surface: 0, 'surface-2': 0.03, line: 0.1, soft: 0.09 },
  dark: { bg: 0.07, surface: 0.05, 'surface-2': 0.07, line: 0.12, soft: 0.2 },
} as const

function grounds(look: Look, appearance: Appearance): Palette {
  const base = palettes[appearance]
  const { tint } = look
  const tinted = tint
    ? (['bg', 'surface', 'surface-2', 'line'] as const).map(name => [
        name,
        mix(base[name], tint, SHARES[appearance][name]),
      ])
    : []
  return { ...base, ...Object.fromEntries(tinted), ...(appearance === 'dark' ? look.night : look.day) }
}

/** The accent, and what stands on it and beside it. A colour too faint to read is brought towards the ink until it can be read. */
function accents(colour: string, palette: Palette, appearance: Appearance): Partial<Palette> {
  const { soft } = SHARES[appearance]
  const softOf = (primary: string): string => mix(palette.surface, primary, soft)
  const isReadable = (primary: string): boolean =>
    [palette.surface, palette.bg, palette['surface-2'], softOf(primary)].every(
      background => contrast(primary, background) >= READABLE,
    )
  const primary = towards(colour, palette.ink, isReadable)
  const on = contrast(WHITE, primary) >= READABLE ? WHITE : mix(primary, BLACK, 0.82)
  return { primary, 'on-primary': on, 'primary-soft': softOf(primary) }
}

function paletteOf(look: Look, appearance: Appearance, colour: string): Palette {
  const palette = grounds(look, appearance)
  const isChosen = colour.toLowerCase() !== DEFAULT_COLOUR.toLowerCase()
  const accent = isChosen ? colour : look.accent?.[appearance === 'dark' ? 1 : 0]
  return accent ? { ...palette, ...accents(accent, palette, appearance) } : palette
}

/** A bar on a surface of the page: quiet text, the accent for what is open. */
function plainBar(background: 'surface' | 'bg', palette: Palette): Bar {
  const from = palette[background]
  const { 'ink-2': ink, primary: strong, 'primary-soft': active } = palette
  return { from, to: from, ink, strong, hover: background === 'bg' ? palette.surface : palette['surface-2'], active }
}

/** A bar with colours of its own, the same by day and by night; what is open stands on some of the accent. */
function ownBar([from, to]: readonly [string, string], look: Look, accent: string): Bar {
  const [quiet = mix(WHITE, from, 0.2), strong = WHITE] = look.ink ?? []
  const hover = mix(from, WHITE, 0.08)
  const ink = towards(quiet, strong, colour => [from, to, hover].every(one => contrast(colour, one) >= READABLE))
  const wanted = look.mark === 'fill' ? accent : mix(from, accent, 0.5)
  const active = towards(wanted, from, colour => contrast(strong, colour) >= READABLE)
  return { from, to, ink, strong, hover, active }
}

/** Every colour of a theme, by day or by night, with the colour that the person chose (the default one leaves the theme its own). */
export function barThemeOf(look: Look, appearance: Appearance, colour: string): BarTheme {
  const palette = paletteOf(look, appearance, colour)
  // White text can be read on what can be read on white: the accent of the day.
  const accent = paletteOf(look, 'light', colour).primary
  const bar = (background: Background): Bar =>
    typeof background === 'string' ? plainBar(background, palette) : ownBar(background, look, accent)
  return { look, palette, side: bar(look.side), top: bar(look.top) }
}

/** What a line between a coloured background and the page needs at least. */
const SEEN = 3

/**
 * The chosen colour as it stands, for what is no text: the background of buttons and switches and lines, with what can be read on
 * it, a border that is seen beside it, and itself while it is pointed at. Without a choice it is the accent.
 */
export function fillOf({ palette }: BarTheme, chosen: string | undefined): Record<`--jx-${string}`, string> {
  const fill = chosen ?? palette.primary
  const on =
    contrast(WHITE, fill) >= READABLE
      ? WHITE
      : towards(mix(fill, BLACK, 0.7), BLACK, one => contrast(one, fill) >= READABLE)
  const border = towards(fill, palette.ink, one => contrast(one, palette.surface) >= SEEN)
  const hover = contrast(WHITE, fill) >= READABLE ? mix(fill, BLACK, 0.15) : mix(fill, WHITE, 0.25)
  return { '--jx-fill': fill, '--jx-on-fill': on, '--jx-fill-border': border, '--jx-fill-hover': hover }
}

const GAPS = { 32: 16, 36: 20, 40: 24 } as const

/** The bars' theme as CSS variables. */
export function variablesOf({ look, palette, side, top }: BarTheme): Record<`--jx-${string}`, string> {
  const bar = (name: string, of: Bar) => Object.entries(of).map(([part, value]) => [`--jx-${name}-${part}`, value])
  return Object.fromEntries([
    ...Object.entries(palette).map(([name, value]) => [`--jx-${name}`, value]),
    ...bar('side', side),
    ...bar('top', top),
    ['--jx-radius', `${look.radius}px`],
    ['--jx-control', `${look.control}px`],
    ['--jx-gap', `${GAPS[look.control]}px`],
  ])
}
