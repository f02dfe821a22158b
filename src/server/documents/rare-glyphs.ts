import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Font, PathCommand } from 'fontkit'
import { load } from './load.ts'

/** The outline of a character that the house fonts lack. */
export interface RareGlyph {
  codePoint: number
  /** Units of one em, in which the rest is measured. */
  unitsPerEm: number
  advanceWidth: number
  commands: readonly PathCommand[]
}

/** One file of the font and the characters it holds. */
interface Slice {
  file: string
  from: number
  to: number
}

/** Parsed files kept for the next character: each holds some ten megabytes. */
const mostOpen = 8

let slices: readonly Slice[] | undefined
const open = new Map<string, Font>()
const known = new Map<number, boolean>()

/** The files of the font and their ranges, as its style sheet names them. */
function readSlices(folder: string): Slice[] {
  const css = readFileSync(path.join(folder, 'HanaMin.css'), 'utf8')
  return [...css.matchAll(/url\(([^)]+\.woff2)\)[^;]*;\s*unicode-range:([^;}]+)/g)].flatMap(([, file, ranges]) =>
    [...ranges!.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi)].map(([, from, to]) => ({
      file: path.join(folder, file!),
      from: Number.parseInt(from!, 16),
      to: Number.parseInt(to ?? from!, 16),
    })),
  )
}

function opened(file: string): Font {
  const font = open.get(file) ?? (load('fontkit') as typeof import('fontkit')).create(readFileSync(file))
  // Put back at the end: the first is the one used longest ago.
  open.delete(file)
  open.set(file, font)
  for (const oldest of open.keys()) {
    if (open.size <= mostOpen) break
    open.delete(oldest)
  }
  return font
}

function sliceOf(codePoint: number): Slice | undefined {
  if (!/\p{Script=Han}/u.test(String.fromCodePoint(codePoint))) return undefined
  slices ??= readSlices(path.dirname(load.resolve('hanamin/package.json')))
  return slices.find(({ from, to }) => from <= codePoint && codePoint <= to)
}

/**
 * Whether HanaMin (花园明朝) draws a Chinese character: all of Unicode 10, that is the extensions A to F. Its files hold
 * about a thousand characters each; one is read when a character of it is first wanted.
 */
export function hasRareGlyph(codePoint: number): boolean {
  const before = known.get(codePoint)
  if (before !== undefined) return before
  const slice = sliceOf(codePoint)
  const has = slice !== undefined && opened(slice.file).hasGlyphForCodePoint(codePoint)
  known.set(codePoint, has)
  return has
}

/** The outline of a character of which {@link hasRareGlyph} is true. @throws RangeError for any other */
export function rareGlyph(codePoint: number): RareGlyph {
  const slice = sliceOf(codePoint)
  if (!slice || !hasRareGlyph(codePoint)) throw new RangeError(`no glyph for U+${codePoint.toString(16)}`)
  const font = opened(slice.file)
  const { advanceWidth, path: outline } = font.glyphForCodePoint(codePoint)
  return { codePoint, unitsPerEm: font.unitsPerEm, advanceWidth, commands: outline.commands }
}
