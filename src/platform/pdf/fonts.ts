import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Font, Glyph, GlyphRun, PathCommand, Position, Subset } from 'fontkit'
import { fontFolder, load } from './load.ts'
import { hasRareGlyph, rareGlyph } from './rare-glyphs.ts'
import { type Outline, trueType } from './truetype.ts'

const files = {
  regular: '400Regular/NotoSansSC_400Regular.ttf',
  bold: '700Bold/NotoSansSC_700Bold.ttf',
} as const

export type Weight = keyof typeof files

const parsed = new Map<Weight, Font>()

/** A weight of Noto Sans SC, read and parsed once and then reused: that halves the time of a document. */
export function fontOf(weight: Weight): Font {
  const known = parsed.get(weight)
  if (known) return known
  const { create } = load('fontkit') as typeof import('fontkit')
  const font = create(readFileSync(path.join(fontFolder('@expo-google-fonts/noto-sans-sc'), files[weight])))
  parsed.set(weight, font)
  return font
}

const isOwn = (font: Font, codePoint: number): boolean => codePoint < 128 || font.hasGlyphForCodePoint(codePoint)

/** A rare glyph in the form of a built-in font's own glyphs: numbered after all of them, in their units. */
interface AddedGlyph extends Glyph {
  outline: Outline
}

function scaled(commands: readonly PathCommand[], by: number): PathCommand[] {
  return commands.map(({ command, args }) => ({ command, args: args.map(one => one * by) }))
}

/** The glyphs that one document adds to a font. */
class AddedGlyphs {
  readonly #font: Font
  readonly #byCode = new Map<number, AddedGlyph>()
  readonly #all: AddedGlyph[] = []

  constructor(font: Font) {
    this.#font = font
  }

  /** The glyph of a character that the font lacks. */
  of(codePoint: number): AddedGlyph {
    const before = this.#byCode.get(codePoint)
    if (before) return before
    const found = rareGlyph(codePoint)
    const by = this.#font.unitsPerEm / found.unitsPerEm
    const outline = { advanceWidth: Math.round(found.advanceWidth * by), commands: scaled(found.commands, by) }
    const glyph: AddedGlyph = {
      id: this.#font.numGlyphs + this.#all.length,
      advanceWidth: outline.advanceWidth,
      codePoints: [codePoint],
      path: { commands: outline.commands },
      outline,
    }
    this.#byCode.set(codePoint, glyph)
    this.#all.push(glyph)
    return glyph
  }

  /** The outline of a glyph by its number, the font's own or added. */
  outline(id: number): Outline {
    const added = this.#all[id - this.#font.numGlyphs]
    if (added) return added.outline
    const { advanceWidth, path } = this.#font.getGlyph(id)
    return { advanceWidth, commands: path.commands }
  }
}

/** The glyphs a document uses: as the font's own subset, or with added ones as a file written again. */
class PrintSubset implements Subset {
  readonly #font: Font
  readonly #added: AddedGlyphs
  readonly #ids = [0]
  readonly #numbers = new Map([[0, 0]])

  constructor(font: Font, added: AddedGlyphs) {
    this.#font = font
    this.#added = added
  }

  includeGlyph(id: number): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const number = this.#ids.push(id) - 1
    this.#numbers.set(id, number)
    return number
  }

  encode(): Uint8Array {
    if (this.#ids.every(id => id < this.#font.numGlyphs)) {
      const own = this.#font.createSubset()
      for (const id of this.#ids) own.includeGlyph(id)
      return own.encode()
    }
    return trueType(
      this.#ids.map(id => this.#added.outline(id)),
      this.#font,
    )
  }
}

/** Text in runs: what a font draws itself, and single characters that it lacks. */
function runsOf(font: Font, text: string): (string | number)[] {
  const runs: (string | number)[] = []
  for (const char of text) {
    const codePoint = char.codePointAt(0)!
    const last = runs.at(-1)
    if (!isOwn(font, codePoint) && hasRareGlyph(codePoint)) runs.push(codePoint)
    else if (typeof last === 'string') runs[runs.length - 1] = last + char
    else runs.push(char)
  }
  return runs
}

function joined(parts: readonly Pick<GlyphRun, 'glyphs' | 'positions'>[]): GlyphRun {
  const positions: Position[] = parts.flatMap(part => part.positions)
  return {
    glyphs: parts.flatMap(part => part.glyphs),
    positions,
    // Asked for again after the positions were brought to another scale.
    get advanceWidth() {
      return positions.reduce((sum, one) => sum + one.xAdvance, 0)
    },
  }
}

/**
 * A weight as one document prints with it: Chinese characters that Noto Sans SC lacks come from HanaMin or a font of the
 * installation's own and stand in the same embedded font, so that every text, wherever it stands in a document, has them.
 */
export function printFont(weight: Weight): Font {
  const font = fontOf(weight)
  const added = new AddedGlyphs(font)
  const layout = (text: string, features?: unknown): GlyphRun => {
    const runs = runsOf(font, text)
    if (runs.every(run => typeof run === 'string')) return font.layout(text, features)
    return joined(
      runs.map(run => {
        if (typeof run === 'string') return font.layout(run, features)
        const glyph = added.of(run)
        return { glyphs: [glyph], positions: [{ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }] }
      }),
    )
  }
  return Object.create(font, {
    layout: { value: layout },
    createSubset: { value: () => new PrintSubset(font, added) },
  }) as Font
}

/**
 * Text as a document can print it: composed, without control characters, and a character that no font here has written as
 * its number (`[U+31350]`), because an empty box on a ticket cannot be compared with anything.
 */
export function printable(text: string, weight: Weight = 'regular'): string {
  const font = fontOf(weight)
  const clean = text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Cs}\p{Cf}]/gu, char => (char === '\n' ? char : ''))
  return [...clean]
    .map(char => {
      const point = char.codePointAt(0)!
      return isOwn(font, point) || hasRareGlyph(point) ? char : `[U+${point.toString(16).toUpperCase()}]`
    })
    .join('')
}

/** The characters of a text that no font here has, each once. */
export async function unprintable({ text }: { text: string; madeAt: Date }): Promise<Buffer> {
  const font = fontOf('regular')
  const chars = [...new Set(text.normalize('NFC'))].filter(char => /\p{Script=Han}/u.test(char))
  const missing = chars.filter(char => !isOwn(font, char.codePointAt(0)!) && !hasRareGlyph(char.codePointAt(0)!))
  return Buffer.from(missing.join(''))
}

const operators = { moveTo: 'm', lineTo: 'l', bezierCurveTo: 'c' } as const

/** A text as the outlines of its characters, in the drawing words of a PDF whose vertical axis points down. */
export function outlineOf(text: string, size: number): { path: string; width: number } {
  const font = printFont('regular')
  const by = size / font.unitsPerEm
  const { glyphs, positions } = font.layout(printable(text))
  const words: string[] = []
  let width = 0
  for (const [i, glyph] of glyphs.entries()) {
    let [x, y] = [0, 0]
    const say = (args: readonly number[], operator: string) =>
      words.push(...args.map((one, at) => ((at % 2 ? -one : one + width) * by).toFixed(2)), operator)
    for (const { command, args } of glyph.path.commands) {
      if (command === 'closePath') words.push('h')
      else if (command === 'quadraticCurveTo') {
        const [midX, midY, endX, endY] = args as [number, number, number, number]
        const near = (from: number, mid: number) => from + (2 / 3) * (mid - from)
        say([near(x, midX), near(y, midY), near(endX, midX), near(endY, midY), endX, endY], 'c')
      } else say(args, operators[command])
      ;[x, y] = args.length ? (args.slice(-2) as [number, number]) : [x, y]
    }
    width += positions[i]!.xAdvance
  }
  return { path: [...words, 'f'].join(' '), width: width * by }
}
