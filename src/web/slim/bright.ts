import { FastColor } from '@ant-design/fast-color'

interface Colour {
  toRgb(): { r: number; g: number; b: number; a: number }
  toRgbString(): string
}

/** Opacity up to which the colour behind decides. */
const SEE_THROUGH = 0.5
/** Perceived brightness, 0 to 255, above which dark text is read best. */
const BRIGHT = 192

/** Whether text on a colour must be dark: the one function that buttons take from the colour picker. */
export function isBright(colour: Colour, behind: string): boolean {
  const { r, g, b, a } = colour.toRgb()
  if (a <= SEE_THROUGH) return new FastColor(colour.toRgbString()).onBackground(behind).toHsv().v > 0.5
  return r * 0.299 + g * 0.587 + b * 0.114 > BRIGHT
}
