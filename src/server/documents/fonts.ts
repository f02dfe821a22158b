import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { Font } from 'fontkit'

// Large, and wanted by few calls: read when the first document is made, not when the server starts. In a thread they are
// found from where the program stands.
const load = createRequire((workerData as { from?: string } | null)?.from ?? import.meta.url)

const files = {
  regular: '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf',
} as const

export type Weight = keyof typeof files

const parsed = new Map<Weight, Font>()

/** A weight of Noto Sans SC, read and parsed once and then reused: that halves the time of a document. */
export function fontOf(weight: Weight): Font {
  const known = parsed.get(weight)
  if (known) return known
  const { create } = load('fontkit') as typeof import('fontkit')
  const font = create(readFileSync(load.resolve(files[weight])))
  parsed.set(weight, font)
  return font
}

/**
 * Text as the font can print it: composed, without control characters, and a character the font lacks written as its
 * number (`[U+20BB7]`), because an empty box on a ticket cannot be compared with anything.
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
      return point < 128 || font.hasGlyphForCodePoint(point) ? char : `[U+${point.toString(16).toUpperCase()}]`
    })
    .join('')
}
