import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { workerData } from 'node:worker_threads'
import type { Font, PathCommand } from 'fontkit'
import { fontFolder, load } from './load.ts'

/** The outline of a character that the built-in fonts lack. */
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

/** The folder with fonts of the installation's own, looked into once; undefined: there is none. */
let own: { folder: string | undefined; files?: readonly string[] } = {
  folder: (workerData as { fonts?: string } | null)?.fonts,
}

/** Says where an installation keeps fonts for characters that the ones of this program lack. */
export function takeOwnFonts(folder: string | undefined): void {
  own = { folder }
  known.clear()
}

/** The folder that was said to {@link takeOwnFonts}. */
export const ownFontFolder = (): string | undefined => own.folder

/** The fonts of an installation's own, in the order of their names: the first that has a character draws it. */
export function ownFontFiles(): readonly string[] {
  own.files ??= fontsIn(own.folder)
  return own.files
}

function fontsIn(folder: string | undefined): string[] {
  try {
    const names = folder ? readdirSync(folder) : []
    return names
      .filter(name => /\.ttf$/i.test(name))
      .sort()
      .map(name => path.join(folder!, name))
  } catch {
    return []
  }
}

let slices: readonly Slice[] | undefined
const open = new Map<string, Font>()
/** The file that draws a character; null for none. */
const known = new Map<number, string | null>()

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
  slices ??= readSlices(fontFolder('hanamin'))
  return slices.find(({ from, to }) => from <= codePoint && codePoint <= to)
}

/** Whether a file draws a character, with curves that a TrueType file can hold. One that is no font draws nothing. */
function draws(file: string, codePoint: number): boolean {
  try {
    const font = opened(file)
    if (!font.hasGlyphForCodePoint(codePoint)) return false
    return font.glyphForCodePoint(codePoint).path.commands.every(({ command }) => command !== 'bezierCurveTo')
  } catch {
    return false
  }
}

function fileOf(codePoint: number): string | null {
  const before = known.get(codePoint)
  if (before !== undefined) return before
  const isHan = /\p{Script=Han}/u.test(String.fromCodePoint(codePoint))
  const files = isHan ? [sliceOf(codePoint)?.file, ...ownFontFiles()] : []
  const file = files.find(one => one !== undefined && draws(one, codePoint)) ?? null
  known.set(codePoint, file)
  return file
}

/**
 * Whether a Chinese character that the built-in fonts lack is drawn by HanaMin (花园明朝), which has all of Unicode 10, that is
 * the extensions A to F, or by a font of the installation's own. HanaMin's files hold about a thousand characters each; one
 * is read when a character of it is first wanted.
 */
export const hasRareGlyph = (codePoint: number): boolean => fileOf(codePoint) !== null

/** The outline of a character of which {@link hasRareGlyph} is true. @throws RangeError for any other */
export function rareGlyph(codePoint: number): RareGlyph {
  const file = fileOf(codePoint)
  if (file === null) throw new RangeError(`no glyph for U+${codePoint.toString(16)}`)
  const font = opened(file)
  const { advanceWidth, path: outline } = font.glyphForCodePoint(codePoint)
  return { codePoint, unitsPerEm: font.unitsPerEm, advanceWidth, commands: outline.commands }
}
