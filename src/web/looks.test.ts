import { readFileSync } from 'node:fs'
import { theme } from 'antd'
import { expect, test } from 'vitest'
import { browserFiles } from '../../tests/helper/tree.ts'
import { type Bar, type BarTheme, barThemeOf, DEFAULT_LOOK, fillOf } from '../screens/window/bar-theme.ts'
import { contrast } from '../screens/window/colour.ts'
import { LOOKS } from '../screens/window/looks.ts'
import { DEFAULT_COLOUR, palettes } from '../screens/window/palette.ts'
import { themeOf } from '../screens/window/theme.ts'

const themes = LOOKS.flatMap(look => (['light', 'dark'] as const).map(appearance => ({ look, appearance })))

/** Every pair of text and background in a theme that is under 4.5:1, in words. */
function unreadable({ palette, side, top }: BarTheme): string[] {
  const pairs: [text: string, on: string, why: string][] = []
  for (const on of ['surface', 'bg', 'surface-2'] as const)
    for (const text of ['ink', 'ink-2', 'primary', 'good', 'warn', 'bad'] as const)
      pairs.push([palette[text], palette[on], `${text} on ${on}`])
  pairs.push([palette['ink-3'], palette.surface, 'ink-3 on surface'])
  pairs.push([palette['on-primary'], palette.primary, 'on-primary'])
  pairs.push([palette.primary, palette['primary-soft'], 'primary on primary-soft'])
  for (const [name, bar] of Object.entries<Bar>({ side, top }))
    for (const on of ['from', 'to', 'hover', 'active'] as const)
      for (const text of on === 'active' ? (['strong'] as const) : (['ink', 'strong'] as const))
        pairs.push([bar[text], bar[on], `${name} ${text} on ${on}`])
  return pairs.filter(([text, on]) => contrast(text, on) < 4.5).map(([text, on, why]) => `${why}: ${text} ${on}`)
}

test.each(themes)('every text of theme $look.name, $appearance, has a contrast of 4.5:1', ({ look, appearance }) => {
  expect(unreadable(barThemeOf(look, appearance, DEFAULT_COLOUR))).toEqual([])
})

test.each(themes)('tags and chosen rows of theme $look.name, $appearance, can be read', ({ look, appearance }) => {
  const config = themeOf(appearance, DEFAULT_COLOUR, true, look)
  // What the library makes of the palette: by night it dims it.
  const token = theme.getDesignToken(config)
  const row = String(config.components?.Table?.rowSelectedBg)
  const pairs = [
    ...(['Info', 'Success', 'Warning', 'Error'] as const).map(kind => [token[`color${kind}`], token[`color${kind}Bg`]]),
    ...[token.colorLink, token.colorError].map(text => [text, row]),
  ] as [string, string][]
  expect(pairs.filter(([text, on]) => contrast(text, on) < 4.5)).toEqual([])
})

test.each(['#ffff00', '#000000', '#ffffff', '#808080', '#ff0000'])('so it has with any chosen colour: %s', colour => {
  const wrong = themes.flatMap(({ look, appearance }) =>
    unreadable(barThemeOf(look, appearance, colour)).map(one => `${look.name} ${appearance} ${one}`),
  )
  expect(wrong).toEqual([])
})

test.each(['#409EFF', '#ffff00', '#000000', '#ffffff', '#808080'])(
  'a chosen %s stands as it is where it is no text, seen and with text that can be read',
  colour => {
    for (const appearance of ['light', 'dark'] as const) {
      const theme = barThemeOf(DEFAULT_LOOK, appearance, colour)
      const fill = fillOf(theme, colour)
      expect(fill['--jx-fill']).toBe(colour)
      for (const background of ['--jx-fill', '--jx-fill-hover'] as const)
        expect(contrast(fill['--jx-on-fill']!, fill[background]!), background).toBeGreaterThanOrEqual(4.5)
      expect(contrast(fill['--jx-fill-border']!, theme.palette.surface)).toBeGreaterThanOrEqual(3)
      expect(fillOf(theme, undefined)['--jx-fill']).toBe(theme.palette.primary)
    }
  },
)

test('each theme is a look of its own: no two share their bars, their accent and their shapes', () => {
  const shape = ({ look, side, top, palette }: BarTheme): unknown[] => [
    side.from,
    top.from,
    palette.bg,
    palette.primary,
    look,
  ]
  for (const appearance of ['light', 'dark'] as const) {
    const dresses = LOOKS.map(look => barThemeOf(look, appearance, DEFAULT_COLOUR))
    for (const [at, one] of dresses.entries())
      for (const other of dresses.slice(at + 1)) {
        const [a, b] = [one, other].map(theme => {
          const { tabs, mark, card, radius, control } = theme.look
          return [...shape(theme).slice(0, -1), tabs, mark, card, radius, control].map(String)
        }) as [string[], string[]]
        const differ = a.filter((value, i) => value !== b[i]).length
        expect(differ, `${one.look.name} and ${other.look.name}, ${appearance}`).toBeGreaterThanOrEqual(4)
      }
  }
})

test('the default colour leaves the palette of the product as it is', () => {
  for (const appearance of ['light', 'dark'] as const)
    expect(barThemeOf(DEFAULT_LOOK, appearance, DEFAULT_COLOUR.toLowerCase()).palette).toEqual(palettes[appearance])
})

const styles = browserFiles.filter(file => file.endsWith('.css'))

/** Style sheets with colours of their own, each for a reason that no theme changes. */
const own: Record<string, string> = {
  'src/web/login/login.css': 'the sign-in page has one look, before anybody is known',
  'src/modules/tickets/pages/candidate/ticket.css': 'a ticket is black on white paper',
  'src/modules/sign-up/pages/form/form.css': 'what a camera shows stands on black',
  'src/modules/tickets/pages/check-in/checkin.css': 'what a camera shows stands on black',
  'src/modules/sign-up/pages/exams/exams.css': 'degrees of one red over any background',
  'src/modules/review/pages/review.css': 'a shadow',
}

test('no style sheet names a colour: all come from the palette', () => {
  const named = styles.flatMap(file => {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    const found = text.match(/#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^)]*\)/gi) ?? []
    return found.length > 0 && !own[file] ? [`${file}: ${found.join(', ')}`] : []
  })
  expect(named).toEqual([])
})
