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

/**
 * Reads the answer of an action: one-time passwords and what was skipped are shown, `{}` and counts are not.
 * @returns null when there is nothing to read
 */
export function readAnswer(answer: unknown): Report | null {
  if (Array.isArray(answer)) return reportOf(answer.filter(isRow))
  if (!isRow(answer)) return null
  const skipped = answer.skipped
  if (Array.isArray(answer.ok) && Array.isArray(skipped)) return reportOf(skipped.filter(isRow))
  return reportOf([answer])
}

/** How many of how many rows were changed, where an answer says so and it is not all of them. */
export function partly(answer: unknown): { changed: number; total: number } | null {
  if (!isRow(answer) || typeof answer.changed !== 'number' || typeof answer.total !== 'number') return null
  return answer.changed < answer.total ? { changed: answer.changed, total: answer.total } : null
}
