/** What a person should read of an answer: lines of named values, or nothing beyond "it worked". */
export interface Report {
  readonly columns: readonly string[]
  readonly lines: readonly Readonly<Record<string, unknown>>[]
}

type Loose = Record<string, unknown>

/** Keys that mean something to the program only. */
const SILENT = new Set(['id', 'ids', 'userId', 'changed', 'total', 'saved', 'version', 'examId'])

const isRow = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)

function reportOf(lines: readonly Loose[]): Report | null {
  const keys = [...new Set(lines.flatMap(Object.keys))]
  const columns = keys.filter(key => !SILENT.has(key) && lines.some(line => !isRow(line[key]) && line[key] !== ''))
  return columns.length ? { columns, lines } : null
}

/** Rows that were dealt with and those that were passed over, of an answer that tells them apart. */
export function decided(answer: unknown): { ok: readonly unknown[]; skipped: readonly Loose[] } | null {
  if (!isRow(answer) || !Array.isArray(answer.ok) || !Array.isArray(answer.skipped)) return null
  return { ok: answer.ok, skipped: answer.skipped.filter(isRow) }
}

/**
 * Reads the answer of an action: one-time passwords and what was skipped are shown, `{}` and counts are not.
 * @param called what is said of a row that was skipped, beside the reason, by its id
 * @returns null when there is nothing to read
 */
export function readAnswer(answer: unknown, called: (id: string) => Loose = () => ({})): Report | null {
  if (Array.isArray(answer)) return reportOf(answer.filter(isRow))
  if (!isRow(answer)) return null
  const some = decided(answer)
  if (some) return reportOf(some.skipped.map(line => ({ ...called(String(line.id)), ...line })))
  return reportOf([answer])
}

/** How many of how many rows something was done to. */
export interface Partly {
  readonly changed: number
  readonly total: number
}

/** How many of how many rows were changed, where an answer says so and it is not all of them. */
export function partly(answer: unknown): Partly | null {
  const some = decided(answer)
  if (some?.skipped.length) return { changed: some.ok.length, total: some.ok.length + some.skipped.length }
  if (!isRow(answer) || typeof answer.changed !== 'number' || typeof answer.total !== 'number') return null
  return answer.changed < answer.total ? { changed: answer.changed, total: answer.total } : null
}
