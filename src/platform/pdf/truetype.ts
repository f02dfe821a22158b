import type { PathCommand } from 'fontkit'

/** A glyph to be written into a font file: outline and width in units of the file. */
export interface Outline {
  advanceWidth: number
  commands: readonly PathCommand[]
}

/** What a font file says of all its glyphs. */
export interface FontMeasures {
  unitsPerEm: number
  ascent: number
  descent: number
  lineGap: number
}

interface Point {
  x: number
  y: number
  on: boolean
}

interface Glyph {
  bytes: Buffer
  advanceWidth: number
  xMin: number
  points: number
  contours: number
}

/** The flags of a point in a glyph, as the format numbers them. */
const flag = { on: 1, xShort: 2, yShort: 4, xSameOrPositive: 16, ySameOrPositive: 32 } as const

/** @throws TypeError for curves of the third degree, which TrueType has not */
function contoursOf(commands: readonly PathCommand[]): Point[][] {
  const contours: Point[][] = []
  const at = (args: readonly number[], from: number, on: boolean): Point => ({
    x: Math.round(args[from]!),
    y: Math.round(args[from + 1]!),
    on,
  })
  for (const { command, args } of commands) {
    const last = contours.at(-1)
    if (command === 'moveTo') contours.push([at(args, 0, true)])
    else if (command === 'lineTo') last?.push(at(args, 0, true))
    else if (command === 'quadraticCurveTo') last?.push(at(args, 0, false), at(args, 2, true))
    else if (command === 'bezierCurveTo') throw new TypeError('not a TrueType outline')
  }
  // A contour closes by itself: its first point is not said again.
  for (const contour of contours) {
    const [first, last] = [contour[0]!, contour.at(-1)!]
    if (contour.length > 1 && last.on && last.x === first.x && last.y === first.y) contour.pop()
  }
  return contours.filter(contour => contour.length > 1)
}

/** One coordinate as the format writes it: nothing when it is the same, a byte when near, else two. */
function step(delta: number, short: number, same: number): { flags: number; bytes: number[] } {
  if (delta === 0) return { flags: same, bytes: [] }
  if (Math.abs(delta) < 256) return { flags: delta > 0 ? short | same : short, bytes: [Math.abs(delta)] }
  return { flags: 0, bytes: [(delta >> 8) & 0xff, delta & 0xff] }
}

function written({ advanceWidth, commands }: Outline): Glyph {
  const contours = contoursOf(commands)
  const points = contours.flat()
  const count = { points: points.length, contours: contours.length }
  if (points.length === 0) return { bytes: Buffer.alloc(0), advanceWidth, xMin: 0, ...count }
  const [xs, ys] = [points.map(point => point.x), points.map(point => point.y)]
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const head = Buffer.alloc(10 + contours.length * 2 + 2)
  head.writeInt16BE(contours.length, 0)
  for (const [i, edge] of box.entries()) head.writeInt16BE(edge, 2 + i * 2)
  let end = -1
  for (const [i, contour] of contours.entries()) {
    end += contour.length
    head.writeUInt16BE(end, 10 + i * 2)
  }
  const [flags, x, y]: [number[], number[], number[]] = [[], [], []]
  let before = { x: 0, y: 0 }
  for (const point of points) {
    const across = step(point.x - before.x, flag.xShort, flag.xSameOrPositive)
    const up = step(point.y - before.y, flag.yShort, flag.ySameOrPositive)
    flags.push((point.on ? flag.on : 0) | across.flags | up.flags)
    x.push(...across.bytes)
    y.push(...up.bytes)
    before = point
  }
  const bytes = Buffer.concat([head, Buffer.from([...flags, ...x, ...y])])
  return { bytes, advanceWidth, xMin: box[0]!, ...count }
}

/** Bytes filled up with zeros to a whole number of four. */
const filled = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2)
  for (const [i, one] of numbers.entries()) bytes.writeUInt16BE(one & 0xffff, i * 2)
  return bytes
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}

function headTable({ unitsPerEm, ascent, descent }: FontMeasures): Buffer {
  const bytes = Buffer.alloc(54)
  bytes.writeUInt32BE(0x00010000, 0)
  bytes.writeUInt32BE(0x00010000, 4)
  bytes.writeUInt32BE(0x5f0f3cf5, 12)
  bytes.writeUInt16BE(unitsPerEm, 18)
  for (const [i, edge] of [-unitsPerEm, descent, unitsPerEm * 2, ascent].entries()) bytes.writeInt16BE(edge, 36 + i * 2)
  bytes.writeUInt16BE(8, 46)
  bytes.writeInt16BE(2, 48)
  // Offsets of glyphs are written in four bytes.
  bytes.writeInt16BE(1, 50)
  return bytes
}

function horizontalTables(glyphs: readonly Glyph[], measures: FontMeasures) {
  const widest = Math.max(...glyphs.map(one => one.advanceWidth))
  const hhea = words([1, 0, measures.ascent, measures.descent, measures.lineGap, widest, 0, 0, widest, 1, 0, 0])
  return {
    hhea: Buffer.concat([hhea, words([0, 0, 0, 0, 0, glyphs.length])]),
    hmtx: words(glyphs.flatMap(one => [one.advanceWidth, one.xMin])),
  }
}

function outlineTables(glyphs: readonly Glyph[]) {
  const bytes = glyphs.map(one => filled(one.bytes))
  const loca = Buffer.alloc((glyphs.length + 1) * 4)
  let at = 0
  for (const [i, one] of bytes.entries()) {
    at += one.length
    loca.writeUInt32BE(at, (i + 1) * 4)
  }
  const most = (of: 'points' | 'contours') => Math.max(...glyphs.map(one => one[of]))
  const maxp = words([1, 0, glyphs.length, most('points'), most('contours'), 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])
  return { glyf: Buffer.concat(bytes), loca, maxp }
}

/**
 * Writes glyphs as a TrueType file that a document can carry: outlines and widths, without the tables that find a glyph by
 * its character, because the document says that itself.
 * @param glyphs in the order of their numbers; the first stands for what is missing
 * @throws TypeError for an outline with curves of the third degree
 */
export function trueType(glyphs: readonly Outline[], measures: FontMeasures): Buffer {
  const done = glyphs.map(written)
  const tables = { ...outlineTables(done), head: headTable(measures), ...horizontalTables(done, measures) }
  const names = (Object.keys(tables) as (keyof typeof tables)[]).toSorted()
  const power = 2 ** Math.floor(Math.log2(names.length))
  const directory = Buffer.alloc(12 + names.length * 16)
  directory.writeUInt32BE(0x00010000, 0)
  for (const [i, one] of [names.length, power * 16, Math.log2(power), (names.length - power) * 16].entries())
    directory.writeUInt16BE(one, 4 + i * 2)
  let at = directory.length
  for (const [i, name] of names.entries()) {
    const entry = 12 + i * 16
    directory.write(name, entry, 'latin1')
    directory.writeUInt32BE(checksum(filled(tables[name])), entry + 4)
    directory.writeUInt32BE(at, entry + 8)
    directory.writeUInt32BE(tables[name].length, entry + 12)
    at += filled(tables[name]).length
  }
  const whole = () => Buffer.concat([directory, ...names.map(name => filled(tables[name]))])
  tables.head.writeUInt32BE((0xb1b0afba - checksum(whole())) >>> 0, 8)
  return whole()
}
