import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A time so many hours from now; less than nought is past. */
export const hoursFromNow = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)

type Row = Record<string, unknown>

/** Milliseconds between two looks. */
const pause = 10

/**
 * Looks at a database again and again, each time with one statement, for what must hold at every moment.
 * @param holds whether a row is as it must be
 * @returns `end` stops it and answers the rows that were not
 */
export function watch(
  url: string,
  sql: string,
  values: readonly unknown[],
  holds: (row: Row) => boolean,
): { end(): Promise<Row[]> } {
  const wrong: Row[] = []
  let isOn = true
  let looks = 0
  const looking = (async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'watch' })
    // The statement that needs it fails all the same.
    client.on('error', () => {})
    await client.connect()
    try {
      for (; isOn; looks++) {
        const { rows } = await client.query<Row>(sql, [...values])
        wrong.push(...rows.filter(row => !holds(row)).slice(0, 20 - wrong.length))
        await sleep(pause)
      }
    } finally {
      await client.end()
    }
  })()
  // Whoever ends it hears of an error.
  looking.catch(() => {})
  return {
    async end() {
      isOn = false
      await looking
      if (looks === 0) throw new Error('Nothing was looked at.')
      return wrong
    },
  }
}
