/** The few parts of fontkit used here; the package brings no types. */
declare module 'fontkit' {
  interface PathCommand {
    command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
    args: number[]
  }
  export interface Font {
    readonly unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): { glyphs: { path: { commands: PathCommand[] } }[] }
  }
  /** Parses a font file. */
  export function create(bytes: Uint8Array): Font
}
