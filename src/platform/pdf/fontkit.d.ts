/** The few parts of fontkit used here; the package brings no types. */
declare module 'fontkit' {
  export interface PathCommand {
    command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
    args: number[]
  }
  export interface Glyph {
    readonly id: number
    readonly advanceWidth: number
    readonly codePoints: number[]
    readonly path: { commands: PathCommand[] }
  }
  export interface Position {
    xAdvance: number
    yAdvance: number
    xOffset: number
    yOffset: number
  }
  export interface GlyphRun {
    readonly glyphs: Glyph[]
    readonly positions: Position[]
    readonly advanceWidth: number
  }
  /** The part of a font that a document uses. */
  export interface Subset {
    /** The number a glyph has in the subset. */
    includeGlyph(id: number): number
    encode(): Uint8Array
  }
  export interface Font {
    readonly unitsPerEm: number
    readonly numGlyphs: number
    readonly ascent: number
    readonly descent: number
    readonly lineGap: number
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number }
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    getGlyph(id: number): Glyph
    layout(text: string, features?: unknown): GlyphRun
    createSubset(): Subset
  }
  /** Parses a font file. */
  export function create(bytes: Uint8Array): Font
}
