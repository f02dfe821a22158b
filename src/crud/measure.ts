import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Resource, type Test, tableOf } from '#engine'
import type { Person } from '../platform/http/server/access.ts'
import { testOf } from './condition.ts'
import { atMoment, type Fragment, ident, join, statement } from './fragment.ts'
import { isId } from './input.ts'
import { hooksOf, type MeasureContext, type ReadContext, type Values } from './rules.ts'

/** Who asks for a list, of what and when. */
export interface Asking {
  readonly app: Pick<FastifyInstance, 'extensions' | 'rules' | 'db' | 'now'>
  readonly person: Person
  readonly resource: Resource
  readonly now: Date
  /** The values of fields that the rows are asked for by, as the call says them. */
  readonly asked?: Readonly<Record<string, string>>
  /** Measures of a row that the statement has worked out already, as SQL by name. */
  readonly known?: MeasureContext['known']
}

/** The id by which rows are asked for, such as that of their exam; undefined where the call says none. */
export function askedId({ asked }: Pick<MeasureContext, 'asked'>, field: string): string | undefined {
  const id = asked[field]
  return id && isId(id) ? id : undefined
}

/** A number that the database works out for a row `t`, as SQL. */
export function measureSql(name: string, { app, person, resource, now, asked = {}, known = {} }: Asking): Fragment {
  const worked = known[name]
  if (worked) return worked
  const measure = hooksOf(app, resource).measure?.[name]
  if (!measure) throw new Error(`Nothing measures «${name}» of ${resource.name}.`)
  return sql`(CASE WHEN ${atMoment(now)} THEN ${measure({ app, person, now, asked, known })} END)`
}

/** Whether a test holds for numbers alone that are there and not zero: those that only some rows have. */
const isOfSome = (test: Test | undefined): boolean => {
  const values = typeof test === 'object' && test !== null ? ('not' in test ? [null] : test) : [test]
  return values.every(value => Boolean(value))
}

/** The value of a row `t` by its name, be it stored or a number that the database works out. */
export const columnSql = (name: string, asking: Asking): Fragment =>
  asking.resource.measured.includes(name) ? measureSql(name, asking) : sql.raw(`t.${ident(name)}`)

/** The SQL of what a value of a row `t` has to be. Rows that alone have a measured number are found at once, where hooks name them. */
export function columnTest(name: string, test: Test | undefined, asking: Asking): Fragment {
  const { app, person, resource, now, asked = {}, known = {} } = asking
  const rows = name in known || !isOfSome(test) ? undefined : hooksOf(app, resource).measureRows?.[name]
  if (!rows) return testOf(columnSql(name, asking), test)
  return sql`(${atMoment(now)} AND t.id IN (SELECT v.id FROM ${rows({ app, person, now, asked })} v WHERE ${testOf(sql`v.value`, test)}))`
}

/**
 * The measured numbers that are read with each row `t`, as the end of a select list in the shape of the wire; empty for a resource whose
 * hook `derive` works out what it shows.
 * @param isShown whether a name is for whoever asks
 */
export function measuredParts(asking: Asking, isShown: (name: string) => boolean): Fragment {
  const { app, person, resource, now } = asking
  const { derive, measure = {} } = hooksOf(app, resource)
  if (derive) return sql``
  const parts = Object.entries(measure)
    .filter(([name]) => isShown(name))
    .map(([name, sqlOf]) => sql`, ${shapedNumber(sqlOf({ app, person, now, asked: {} }))} AS ${sql.raw(ident(name))}`)
  return join(parts, '')
}

const shapedNumber = (value: Fragment) => sql`coalesce(to_json(${value}), '""'::json)`

/**
 * What measures say of the rows of a page, by the ids of the rows: for a `derive` that shows what lists are sorted by beside what it works
 * out itself.
 * @param measures SQL over a row `t`, by name
 */
export async function readMeasures<K extends string>(
  { app, person, now }: ReadContext,
  { entity }: Pick<Resource, 'entity'>,
  measures: { readonly [N in K]: (ctx: MeasureContext) => Fragment },
  rows: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, { readonly [N in K]: number | null }>> {
  if (rows.length === 0) return new Map()
  const columns = Object.entries<(ctx: MeasureContext) => Fragment>(measures).map(
    ([name, measure]) => sql`${measure({ app, person, now, asked: {} })} AS ${sql.raw(ident(name))}`,
  )
  const ids = rows.map(({ id }) => id)
  const table = sql.raw(ident(tableOf(entity.name)))
  const { rows: found } = await app.pool.query<Values & { id: string }>(
    statement(sql`SELECT t.id::text AS id, ${join(columns, ', ')} FROM ${table} t WHERE t.id = ANY(${ids}::bigint[])`),
  )
  const numbered = found.map(
    ({ id, ...values }) =>
      [
        id,
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, value === null ? null : Number(value)]),
        ),
      ] as const,
  )
  return new Map(numbered as (readonly [string, { readonly [N in K]: number | null }])[])
}
