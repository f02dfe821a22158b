/** The few parts of fontkit used here; the package brings no types. */
declare module 'fontkit' {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean
  }
  /** Parses a font file. */
  export function create(bytes: Uint8Array): Font
}
