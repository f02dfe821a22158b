/** The specification's default colour: the accent everything else is derived from. */
export const DEFAULT_COLOUR = '#409EFF'

/** The two appearances. */
export type Appearance = 'light' | 'dark'

/** The colours of one appearance, as CSS values. */
export interface Palette {
  /** Behind everything. */
  bg: string
  /** Cards, bars, fields. */
  surface: string
  /** Table heads, hovered rows, quiet blocks. */
  'surface-2': string
  line: string
  ink: string
  /** Secondary text, at least 4.5:1 on every surface. */
  'ink-2': string
  /** Placeholders and icons, at least 4.5:1 on fields, disabled ones too. */
  'ink-3': string
  primary: string
  /** Text on the primary colour. */
  'on-primary': string
  'primary-soft': string
  good: string
  warn: string
  bad: string
  shadow: string
}

/** Ink on paper by day, paper on ink by night. Colour is kept for what asks for an answer. */
export const palettes: Record<Appearance, Palette> = {
  light: {
    bg: '#f4f6f8',
    surface: '#ffffff',
    'surface-2': '#f7f9fb',
    line: '#e1e6ec',
    ink: '#1b2733',
    'ink-2': '#526272',
    'ink-3': '#5c6a78',
    primary: '#0f6cc9',
    'on-primary': '#ffffff',
    'primary-soft': '#e8f2fd',
    good: '#17764a',
    warn: '#9a5300',
    bad: '#c8323a',
    shadow: '0 1px 2px rgb(27 39 51 / 5%), 0 12px 32px -12px rgb(27 39 51 / 18%)',
  },
  dark: {
    bg: '#0f161d',
    surface: '#17202a',
    'surface-2': '#1d2833',
    line: '#2c3a48',
    ink: '#e4ebf2',
    'ink-2': '#a3b3c2',
    'ink-3': '#8495a5',
    primary: '#62b0ff',
    'on-primary': '#08223d',
    'primary-soft': '#142e47',
    good: '#52c48a',
    warn: '#e0a04a',
    bad: '#ff7b7f',
    shadow: '0 1px 2px rgb(0 0 0 / 30%), 0 16px 40px -12px rgb(0 0 0 / 60%)',
  },
}

/** Shape and type shared by both appearances. */
const SHARED = {
  radius: '8px',
  control: '36px',
  gap: '20px',
  // What is printed or shown to a camera stays black on white by night too.
  paper: '#ffffff',
  font: '"PingFang SC", "HarmonyOS Sans SC", "MiSans", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", system-ui, sans-serif',
}

function rules(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `--jx-${name}:${value};`)
    .join('')
}

/** The same colours as CSS variables: by the device's setting, unless the page is told which (`data-theme`). */
export function paletteCss(): string {
  const dark = `color-scheme:dark;${rules(palettes.dark)}`
  return [
    `:root{color-scheme:light;${rules(SHARED)}${rules(palettes.light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}`,
    `:root[data-theme=dark]{${dark}}`,
  ].join('')
}
