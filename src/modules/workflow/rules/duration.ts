const units = [
  ['天', 86_400_000],
  ['小时', 3_600_000],
  ['分钟', 60_000],
  ['秒', 1000],
] as const

/** How long something took, in its two largest units, `2天3小时`; less than a second is `0秒`. */
export function durationText(milliseconds: number): string {
  const at = units.findIndex(([, size]) => milliseconds >= size)
  if (at < 0) return '0秒'
  const [name, size] = units[at] as (typeof units)[number]
  const next = units[at + 1]
  const rest = next ? Math.floor((milliseconds % size) / next[1]) : 0
  return `${Math.floor(milliseconds / size)}${name}${next && rest > 0 ? `${rest}${next[0]}` : ''}`
}
