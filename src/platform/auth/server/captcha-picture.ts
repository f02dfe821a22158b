import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Font } from 'fontkit'
import { openPicture } from '../../files/picture.ts'
import { fontOf } from '../../pdf/fonts.ts'
import { fontFolder, load } from '../../pdf/load.ts'

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

let serif: Font | undefined

/** A font by chance: without serifs, thin or thick, or with serifs. */
function anyFont(): Font {
  const which = randomInt(3)
  if (which < 2) return fontOf(which ? 'bold' : 'regular')
  const { create } = load('fontkit') as typeof import('fontkit')
  serif ??= create(readFileSync(path.join(fontFolder('hanamin'), 'HanaMinA.Basic-Latin.woff2')))
  return serif
}

/** Bends one letter by itself, so that it is like no other of its kind. */
function twist(): Bend {
  const wave = () => ({ high: between(0.8, 2.2) * scale, long: between(5, 9) * scale, at: between(0, 6.3) })
  const [along, across] = [wave(), wave()]
  return (x, y) => [
    x + across.high * Math.sin(y / across.long + across.at),
    y + along.high * Math.sin(x / along.long + along.at),
  ]
}

/** Where letters begin: each has the room that its width asks for, more or less. */
function places(widths: readonly number[]): number[] {
  const gaps = widths.map(width => (width + 0.15) * between(0.8, 1.2))
  const sum = gaps.reduce((all, gap) => all + gap, 0)
  const room = (size.width - 34) * scale
  let at = between(6, 14) * scale
  return gaps.map(gap => {
    const here = at
    at += (gap / sum) * room
    return here
  })
}

/** The outline of a letter as an SVG path, twisted, turned, sheared, stretched, put at its place and bent. */
function outline(letter: string, font: Font, left: number, bent: Bend): string {
  const [glyph] = font.layout(letter).glyphs
  if (!glyph) return ''
  const em = (between(25, 33) * scale) / font.unitsPerEm
  const [turn, shear] = [between(-0.4, 0.4), between(-0.25, 0.25)]
  const [wide, base, twisted] = [between(0.85, 1.15), between(31, 38) * scale, twist()]
  const place = (x: number, y: number): [number, number] => {
    const [px, py] = twisted(x * em * wide + y * em * shear, -y * em)
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
 * Draws letters as a picture of pixels: one shape of all letters, of several fonts, each twisted, which overlap, bent, crossed by curves of their colour, and
 * grained. Nothing in the file says what was drawn.
 * @returns a PNG of 130 × 48
 */
export async function drawCaptcha(text: string): Promise<Buffer> {
  const bent = bend()
  const drawn = [...text].map(letter => ({ letter, font: anyFont() }))
  const starts = places(drawn.map(({ letter, font }) => font.layout(letter).advanceWidth / font.unitsPerEm))
  const shapes = drawn.map(({ letter, font }, i) => outline(letter, font, starts[i] ?? 0, bent))
  const [dark, light] = [randomInt(40, 90), randomInt(205, 245)]
  const shade = (level: number) => `rgb(${level},${level},${level})`
  const lines = Array.from({ length: 2 }, stroke).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width * scale}" height="${size.height * scale}">
    <rect width="100%" height="100%" fill="${shade(light)}"/>
    <path d="${lines}" fill="none" stroke="${shade(dark)}" stroke-width="${between(1.2, 1.8) * scale}"/>
    <path d="${shapes.join('')}" fill="${shade(dark)}" stroke="${shade(dark)}" stroke-width="${0.5 * scale}"/></svg>`
  const { data, info } = await (await openPicture(Buffer.from(svg)))
    .resize(size.width, size.height)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return (await openPicture(grain(data), { raw: { width, height, channels } })).png().toBuffer()
}
