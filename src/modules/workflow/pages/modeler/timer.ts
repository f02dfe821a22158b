/** Units in which a length of time is asked for, with their seconds. */
export const units = { minute: 60, hour: 3600, day: 86_400 } as const
/** One of them. */
export type Unit = keyof typeof units

const single = /^P(?:T(\d{1,6})([MH])|(\d{1,5})D)$/

/** A length of time in one unit; undefined for any other text, such as an expression. */
export function readDuration(text: string): { count: number; unit: Unit } | undefined {
  const [whole, count, unit, days] = single.exec(text.trim()) ?? []
  if (!whole) return undefined
  if (days) return { count: Number(days), unit: 'day' }
  return { count: Number(count), unit: unit === 'M' ? 'minute' : 'hour' }
}

/** A length of time as ISO 8601 has it. */
export function writeDuration(count: number, unit: Unit): string {
  if (unit === 'day') return `P${count}D`
  return `PT${count}${unit === 'hour' ? 'H' : 'M'}`
}

const cycle = /^R(\d{1,3})\/(P.+)$/

/** How often something repeats and after which time; undefined for any other text. */
export function readCycle(text: string): { times: number; every: string } | undefined {
  const [whole, times, every] = cycle.exec(text.trim()) ?? []
  return whole && every ? { times: Number(times), every } : undefined
}

/** Repetitions as ISO 8601 has them. */
export const writeCycle = (times: number, every: string): string => `R${times}/${every}`
