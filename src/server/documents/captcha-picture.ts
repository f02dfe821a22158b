import { randomInt } from 'node:crypto'
import sharp from 'sharp'
import { fontOf, type Weight } from './fonts.ts'

const size = { width: 130, height: 48 }
/** Everything is drawn this many times as large and then made smaller, which blurs the edges. */
const scale = 3

/** A number between two others, in thousandths. */
const between = (low: number, high: number): number => low + (randomInt(1000) / 999) * (high - low)

/** Moves a point of the picture. */
type Bend = (x: number, y: number) => [number, number]

/** Bends the whole picture, along and across, so that no letter keeps its outline. */
function bend(): Bend {
  const wave = () => ({ high: between(3, 6), long: between(50, 100), at: between(0, 6.3) })
  const [along, across] = [wave(), wave()]
  return (x, y) => [
    x + across.high * Math.sin(y / (across.long / 4) + across.at),
    y + along.high * Math.sin(x / (along.long / 2) + along.at),
  ]
}

/** The outline of a letter as an SVG path, turned, sheared, stretched, put at its place and bent. */
function outline(letter: string, weight: Weight, left: number, bent: Bend): string {
  const font = fontOf(weight)
  const [glyph] = font.layout(letter).glyphs
  if (!glyph) return ''
  const em = (between(27, 32) * scale) / font.unitsPerEm
  const [turn, shear] = [between(-0.3, 0.3), between(-0.2, 0.2)]
  const [wide, base] = [between(0.9, 1.2), between(32, 36) * scale]
  const place = (x: number, y: number): [number, number] => {
    const [px, py] = [x * em * wide + y * em * shear, -y * em]
    return bent(left + px * Math.cos(turn) - py * Math.sin(turn), base + px * Math.sin(turn) + py * Math.cos(turn))
  }
  const letters: Record<string, string> = {
    moveTo: 'M',
    lineTo: 'L',
    quadraticCurveTo: 'Q',
    bezierCurveTo: 'C',
    closePath: 'Z',
  }
  return glyph.path.commands
    .map(({ command, args }) => {
      const points = Array.from({ length: args.length / 2 }, (_, i) => place(args[2 * i] ?? 0, args[2 * i + 1] ?? 0))
      return (letters[command] ?? '') + points.map(point => point.map(one => one.toFixed(1)).join(' ')).join(' ')
    })
    .join('')
}

/** A curve through the whole picture, as thick as a stroke of a letter. */
function stroke(): string {
  const y = () => between(0.15, 0.85) * size.height * scale
  const [w, step] = [size.width * scale, (size.width * scale) / 3]
  return `M0 ${y()}C${step} ${y()} ${2 * step} ${y()} ${w} ${y()}`
}

/** Grain of the paper: each pixel a little lighter or darker, so that nothing is one flat colour. */
const grain = (bytes: Buffer): Buffer => {
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.max(0, Math.min(255, (bytes[i] ?? 0) + randomInt(61) - 30))
  return bytes
}

/**
 * Draws letters as a picture of pixels: one shape of all letters, which overlap, bent, crossed by curves of their colour, and
 * grained. Nothing in the file says what was drawn.
 * @returns a PNG of 130 × 48
 */
export async function drawCaptcha(text: string): Promise<Buffer> {
  const bent = bend()
  const step = ((size.width - 34) / text.length) * scale
  const shapes = [...text].map((letter, i) =>
    outline(letter, randomInt(2) ? 'bold' : 'regular', 10 * scale + i * step + between(-2, 2) * scale, bent),
  )
  const [dark, light] = [randomInt(40, 90), randomInt(205, 245)]
  const shade = (level: number) => `rgb(${level},${level},${level})`
  const lines = Array.from({ length: 2 }, stroke).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width * scale}" height="${size.height * scale}">
    <rect width="100%" height="100%" fill="${shade(light)}"/>
    <path d="${lines}" fill="none" stroke="${shade(dark)}" stroke-width="${between(1.2, 1.8) * scale}"/>
    <path d="${shapes.join('')}" fill="${shade(dark)}"/></svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(size.width, size.height)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(grain(data), { raw: { width: info.width, height: info.height, channels: info.channels } })
    .png()
    .toBuffer()
}
