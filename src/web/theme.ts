import { theme as antd, type ThemeConfig } from 'antd'
import { DEFAULT_COLOUR, palettes } from './palette.ts'

/** The two appearances. */
export type Appearance = 'light' | 'dark'

const CONTRAST = 4.5

function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(value => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** The contrast of two colours after WCAG, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function mix(hex: string, target: string, share: number): string {
  const to = channels(target)
  const parts = channels(hex).map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share))
  return `#${parts.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** The nearest colour to the chosen one that is readable as text on the surface of an appearance (4.5:1). */
export function readable(colour: string, appearance: Appearance): string {
  const { surface, ink } = palettes[appearance]
  for (let share = 0; share < 1; share += 0.04) {
    const tried = mix(colour, ink, share)
    if (contrast(tried, surface) >= CONTRAST) return tried
  }
  return ink
}

/** The primary colour in use: the palette's own for the default choice, a readable form of any other. */
export function primaryOf(colour: string, appearance: Appearance): string {
  const isDefault = colour.toLowerCase() === DEFAULT_COLOUR.toLowerCase()
  return isDefault ? palettes[appearance].primary : readable(colour, appearance)
}

/** Pale grounds and borders of a signal colour; antd's own come out muddy for colours dark enough to read. */
const tints = (name: 'Success' | 'Warning' | 'Error', colour: string, surface: string) => ({
  [`color${name}Bg`]: mix(colour, surface, 0.94),
  [`color${name}BgHover`]: mix(colour, surface, 0.88),
  [`color${name}Border`]: mix(colour, surface, 0.65),
  [`color${name}BorderHover`]: mix(colour, surface, 0.5),
})

/** The antd theme of an appearance with a chosen colour; without motion for whoever asks his device for stillness. */
export function themeOf(appearance: Appearance, colour: string, motion = true): ThemeConfig {
  const palette = palettes[appearance]
  const primary = primaryOf(colour, appearance)
  return {
    algorithm: appearance === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      motion,
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      // Towards the ink: antd's lighter forms are not readable, neither as a ground nor as text.
      colorPrimaryHover: mix(primary, palette.ink, 0.15),
      colorLinkHover: mix(primary, palette.ink, 0.15),
      colorSuccess: palette.good,
      colorWarning: palette.warn,
      colorError: palette.bad,
      ...tints('Success', palette.good, palette.surface),
      ...tints('Warning', palette.warn, palette.surface),
      ...tints('Error', palette.bad, palette.surface),
      colorTextBase: palette.ink,
      colorBgBase: palette.surface,
      colorBgLayout: palette.bg,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.surface,
      colorTextSecondary: palette['ink-2'],
      // Descriptions, titles of numbers and what is empty are read too: antd's own grey is under 4.5:1.
      colorTextTertiary: palette['ink-2'],
      colorTextDescription: palette['ink-2'],
      colorTextPlaceholder: palette['ink-3'],
      colorBorder: palette.line,
      colorBorderSecondary: palette.line,
      colorTextLightSolid: palette['on-primary'],
      fontFamily: 'var(--jx-font)',
      borderRadius: 8,
      controlHeight: 36,
      wireframe: false,
    },
    components: {
      Table: { headerBg: palette['surface-2'], headerColor: palette['ink-2'], headerSplitColor: 'transparent' },
      Menu: {
        itemBorderRadius: 6,
        itemHeight: 40,
        activeBarBorderWidth: 0,
        collapsedWidth: 56,
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        // Colours of the sidebar's dark form come from its style (`chrome.css`), by day and by night.
        darkItemBg: 'transparent',
        darkSubMenuItemBg: 'transparent',
        darkItemColor: 'var(--jx-side-ink)',
        darkItemHoverColor: 'var(--jx-side-strong)',
        darkItemHoverBg: 'var(--jx-side-hover)',
        darkItemSelectedBg: 'var(--jx-side-active)',
        darkItemSelectedColor: 'var(--jx-side-strong)',
        darkPopupBg: 'var(--jx-side-bg)',
      },
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500 },
      Switch: { colorTextQuaternary: palette['ink-3'], colorTextTertiary: palette['ink-2'] },
      Tooltip: { colorBgSpotlight: palettes.light.ink, colorTextLightSolid: palettes.dark.ink },
    },
  }
}
