function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(value => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** The contrast of two colours (`#rrggbb`) after WCAG, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** A colour with a share (0 to 1) of another one in it. */
export function mix(hex: string, target: string, share: number): string {
  const to = channels(target)
  const parts = channels(hex).map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share))
  return `#${parts.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** What text needs at least against what it stands on. */
export const READABLE = 4.5

/** The first of a row of colours, from one towards another, that passes; the other one when none does. */
export function towards(from: string, to: string, passes: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.04) {
    const tried = mix(from, to, share)
    if (passes(tried)) return tried
  }
  return to
}
