import { sql } from 'kysely'
import { columnField, daysAgo, type ListView, plainTests, widerTest } from '#engine'
import { wireDay } from '../platform/http/server/wire.ts'
import { all, type Fragment, join } from './fragment.ts'
import { type Asking, columnSql, columnTest } from './measure.ts'

const DAY = 86_400_000

/** A day or its beginning, or now. A day stays the same for a day: what is counted by it can be remembered. */
function momentSql(word: unknown, now: Date, isDay: boolean): Fragment {
  const ago = daysAgo(String(word))
  if (ago === undefined) return sql`${now}::timestamptz`
  const day = wireDay(new Date(now.getTime() - ago * DAY))
  return isDay ? sql`${day}::date` : sql`(${day}::timestamp AT TIME ZONE 'Asia/Shanghai')`
}

function widerSql(name: string, { word, of }: NonNullable<ReturnType<typeof widerTest>>, asking: Asking): Fragment {
  const value = columnSql(name, asking)
  const isDay = columnField(asking.resource, name)?.kind === 'date'
  if (word === 'since') return sql`${value} >= ${momentSql(of, asking.now, isDay)}`
  if (word === 'before') return sql`${value} < ${momentSql(of, asking.now, isDay)}`
  const other = typeof of === 'number' ? sql.raw(String(of)) : sql`coalesce(${columnSql(String(of), asking)}, 0)`
  return word === 'below' ? sql`coalesce(${value}, 0) < ${other}` : sql`coalesce(${value}, 0) >= ${other}`
}

/** The first moment at which {@link widerSql} holds for a time or day that has to be before another. */
function dueSql(name: string, word: string, asking: Asking): Fragment {
  const value = columnSql(name, asking)
  const ago = daysAgo(word)
  if (ago === undefined) return value
  const isDay = columnField(asking.resource, name)?.kind === 'date'
  const day = isDay ? value : sql`(${value} AT TIME ZONE 'Asia/Shanghai')::date`
  return sql`((${day} + ${sql.lit(ago + 1)})::timestamp AT TIME ZONE 'Asia/Shanghai')`
}

/**
 * When rows `t` of a list come under a named filter by the passing of time alone: the moment of each, and which rows have one. None where
 * the filter tests no time that has to be before another.
 */
export function dueOf(view: ListView, asking: Asking): { readonly at: Fragment; readonly where: Fragment } | undefined {
  const isTimed = ([, test]: [string, unknown]) => widerTest(test)?.word === 'before'
  const timed = Object.entries(view).filter(isTimed)
  if (timed.length === 0) return undefined
  const at = timed.map(([name, test]) => dueSql(name, String(widerTest(test)?.of), asking))
  const rest = Object.fromEntries(Object.entries(view).filter(one => !isTimed(one)))
  return { at: sql`greatest(${join(at, ', ')})`, where: listViewSql(rest, asking) }
}

/** Whether the rows of a named filter are counted by themselves: an index finds the few since a day. */
export const isApart = (view: ListView): boolean =>
  Object.values(view).some(test => {
    const { word, of } = widerTest(test) ?? {}
    return word === 'since' && of !== '$now'
  })

/** The SQL of a named filter on the rows `t` of a list, for whoever asks. */
export function listViewSql(view: ListView, asking: Asking): Fragment {
  const plain = Object.entries(plainTests(view, asking.person.userId)).map(([name, test]) =>
    columnTest(name, test, asking),
  )
  const wide = Object.entries(view).flatMap(([name, test]) => {
    const found = widerTest(test)
    return found ? [widerSql(name, found, asking)] : []
  })
  return all([...plain, ...wide])
}
