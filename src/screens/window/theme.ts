import { theme as antd, type ThemeConfig } from 'antd'
import { barThemeOf, DEFAULT_LOOK, type Look } from './bar-theme.ts'
import { mix } from './colour.ts'
import { type Appearance, type Palette, palettes } from './palette.ts'

/** Pale grounds and borders of a signal colour; antd's own come out muddy for colours dark enough to read. */
const tints = (name: 'Info' | 'Success' | 'Warning' | 'Error', colour: string, background: string, share = 0.94) => ({
  [`color${name}Bg`]: mix(colour, background, share),
  [`color${name}BgHover`]: mix(colour, background, 0.88),
  [`color${name}Border`]: mix(colour, background, 0.65),
  [`color${name}BorderHover`]: mix(colour, background, 0.5),
})

function signals(appearance: Appearance, { primary, good, warn, bad, bg, surface }: Palette) {
  // By night antd dims these colours: on the darker background of the page they can still be read.
  const isDark = appearance === 'dark'
  const background = isDark ? bg : surface
  return {
    ...tints('Info', primary, background, isDark ? 0.9 : 0.94),
    ...tints('Success', good, background),
    ...tints('Warning', warn, background),
    ...tints('Error', bad, background),
  }
}

/** What rows of tables and entries of lists stand on when they are chosen. By night antd's own is good for entries. */
function chosen(appearance: Appearance, { primary, bg, surface, 'primary-soft': soft }: Palette) {
  const [row, hover] = appearance === 'dark' ? [mix(primary, bg, 0.94), mix(primary, bg, 0.9)] : [soft, soft]
  const entries = { colorPrimaryBg: soft, colorPrimaryBgHover: mix(primary, surface, 0.84) }
  return { entries: appearance === 'dark' ? {} : entries, rows: { rowSelectedBg: row, rowSelectedHoverBg: hover } }
}

/** Rows of tables that differ from antd's own, for themes that are tighter or roomier. */
const tableRoom = { 32: { cellPaddingBlock: 11 }, 36: {}, 40: { cellPaddingBlock: 18 } } as const

/**
 * The antd theme of an appearance with a chosen colour; without motion where the device asks for reduced
 * motion. Looks that differ only in the colours of the bars have the same values, so that changing to one redraws nothing.
 */
export function themeOf(appearance: Appearance, colour: string, motion = true, look: Look = DEFAULT_LOOK): ThemeConfig {
  const { palette } = barThemeOf(look, appearance, colour)
  const { primary } = palette
  const { entries, rows } = chosen(appearance, palette)
  return {
    // The styles are sheets (`src/web/antd-styles.ts`); only their variables are made in the browser.
    zeroRuntime: true,
    hashed: false,
    algorithm: appearance === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      motion,
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      // Towards the ink: antd's lighter forms are not readable, neither as a background nor as text.
      colorPrimaryHover: mix(primary, palette.ink, 0.15),
      colorLinkHover: mix(primary, palette.ink, 0.15),
      colorSuccess: palette.good,
      colorWarning: palette.warn,
      colorError: palette.bad,
      colorErrorHover: mix(palette.bad, palette.ink, 0.15),
      ...signals(appearance, palette),
      ...entries,
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
      borderRadius: look.radius,
      controlHeight: look.control,
      wireframe: false,
    },
    components: {
      Table: {
        headerBg: palette['surface-2'],
        headerColor: palette['ink-2'],
        headerSplitColor: 'transparent',
        ...rows,
        ...tableRoom[look.control],
      },
      Menu: {
        itemBorderRadius: Math.round(look.radius * 0.75),
        itemHeight: look.control + 4,
        activeBarBorderWidth: 0,
        collapsedWidth: 56,
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        // Colours of the sidebar's dark form are those of its theme's bar, by day and by night.
        darkItemBg: 'transparent',
        darkSubMenuItemBg: 'transparent',
        darkItemColor: 'var(--jx-side-ink)',
        darkItemHoverColor: 'var(--jx-side-strong)',
        darkItemHoverBg: 'var(--jx-side-hover)',
        darkItemSelectedBg: 'var(--jx-side-active)',
        darkItemSelectedColor: 'var(--jx-side-strong)',
        darkPopupBg: 'var(--jx-side-from)',
      },
      // A button that works on it is read like any other: the turning sign says enough.
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
        opacityLoading: 1,
      },
      Switch: { colorTextQuaternary: palette['ink-3'], colorTextTertiary: palette['ink-2'] },
      Tooltip: { colorBgSpotlight: palettes.light.ink, colorTextLightSolid: palettes.dark.ink },
    },
  }
}
