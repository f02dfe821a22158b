import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Notes } from './looking.ts'
import { nameOf, type Variant } from './selection.ts'

const file = path.resolve(import.meta.dirname, '../../test-results/axe.tsv')

const isResumed = Boolean(process.env.LOOK_RESUME)

/** Begins a report, or goes on with the last one. */
export function beginReport(): void {
  mkdirSync(path.dirname(file), { recursive: true })
  if (!isResumed) rmSync(file, { force: true })
}

const DONE = 'done'

/** Pages that the report has without a finding, as `variant<TAB>page`; none unless it is gone on with. */
const done: ReadonlySet<string> = new Set(
  isResumed && existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .map(line => line.split('\t'))
        .filter(([, , state]) => state === DONE)
        .map(([variant, page]) => `${variant}\t${page}`)
    : [],
)

/** Whether a page was looked at in all schemes of a window and nothing was found. */
export const isDone = (variant: Variant, page: string): boolean =>
  variant.schemes.every(scheme => done.has(`${nameOf(variant, scheme)}\t${page}`))

/**
 * Writes what was looked at on a page and what was found there: variant, page, `seen` with the place or `found` with place and finding,
 * and `done` when nothing was found and the look came to its end.
 */
export function report(variant: Variant, page: string, notes: Notes, isWhole: boolean): void {
  const lines = variant.schemes.flatMap(scheme => {
    const begin = `${nameOf(variant, scheme)}\t${page}`
    const wrong = Object.entries(notes.found).flatMap(([where, found]) =>
      found.filter(one => one.scheme === scheme).map(one => `${begin}\tfound\t${where}\t${one.text}`),
    )
    const seen = notes.seen.map(where => `${begin}\tseen\t${where}`)
    return [...seen, ...wrong, ...(isWhole && wrong.length === 0 ? [`${begin}\t${DONE}`] : [])]
  })
  if (lines.length > 0) appendFileSync(file, `${lines.join('\n')}\n`)
}

/** Prints what the report has come to: how many places were looked at in each variant, and every finding. */
export function printReport(): void {
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const rows = lines.map(line => line.split('\t'))
  const seen = rows.filter(([, , state]) => state === 'seen')
  const covered = [...new Set(seen.map(([variant = '']) => variant))].map(variant => {
    const of = seen.filter(([one]) => one === variant)
    const pages = new Set(of.map(([, page]) => page))
    return `${variant}: ${pages.size} pages, ${of.length} places: ${[...pages].join(' ')}`
  })
  const found = [...new Set(lines.filter(line => line.split('\t')[2] === 'found'))]
  console.info([...covered, `${found.length} findings`, ...found, file].join('\n'))
}
