import type { CSSProperties, ReactNode } from 'react'
import { barThemeOf, type Look, variablesOf } from '../../screens/window/bar-theme.ts'
import type { Appearance } from '../../screens/window/palette.ts'

/** How many strokes stand for the texts of a part. */
const strokes = (count: number): ReactNode[] => ['a', 'b', 'c', 'd'].slice(0, count).map(name => <i key={name} />)

/** A small picture of the console as it would look in a theme: sidebar, top bar, tabs, a card with a button. */
export function LookPreview(props: { look: Look; appearance: Appearance; colour: string }): ReactNode {
  const { look, appearance, colour } = props
  return (
    <span className="look" aria-hidden style={variablesOf(barThemeOf(look, appearance, colour)) as CSSProperties}>
      <span className="look-side">{strokes(4)}</span>
      <span className="look-top">{strokes(3)}</span>
      <span className="look-tabs">{strokes(3)}</span>
      <span className="look-page">{strokes(3)}</span>
    </span>
  )
}
