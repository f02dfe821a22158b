import { sql } from 'kysely'
import { type Resource, type Step, tableOf } from '#engine'
import type { Person } from '../platform/http/server/access.ts'
import { all, atMoment, type Fragment, ident, join } from './fragment.ts'
import { resourceOf } from './lookup.ts'
import { scopeOf } from './scope.ts'
import type { Scopes } from './scope-rule.ts'

/** How the row that a reference names is called in a statement. */
const aliasOf = ({ by }: Step): string => ident(`to_${by}`)

/** Column of a step in a statement that has {@link joinsOf}. */
export const farColumn = (step: Step, suffix = ''): string => `${aliasOf(step)}.${ident(`${step.name}${suffix}`)}`

/** The rows that names with a dot of a resource lead to, as joins: whoever does not meet one finds it empty. */
export function joinsOf(
  { app, person, resource }: { app: Scopes; person: Person; resource: Resource },
  now: Date,
): Fragment {
  const wanted = new Map(Object.values(resource.steps).map(step => [step.by, step]))
  const joins = [...wanted.values()].map(step => {
    const alias = aliasOf(step)
    return sql`LEFT JOIN ${sql.raw(`${ident(tableOf(step.to))} ${alias} ON ${alias}.id = t.${ident(step.by)}`)}
      AND ${scopeOf(app, person, resourceOf(step.to), now, alias)}`
  })
  return join(joins, ' ')
}

interface Around {
  readonly app: Scopes
  readonly person: Person
  readonly now: Date
}

/** Rows whose reference names a row that meets a condition on `f`, among those that whoever asks meets. */
export function farCondition(step: Step, condition: Fragment, { app, person, now }: Around): Fragment {
  const met = all([scopeOf(app, person, resourceOf(step.to), now, 'f'), condition])
  return sql`${sql.raw(`t.${ident(step.by)}`)} IN (SELECT f.id FROM ${sql.raw(ident(tableOf(step.to)))} f
    WHERE ${all([met, atMoment(now)])})`
}

/** The value behind a reference by itself, to sort by: found by the key of the other row. */
export function farValue(step: Step, { app, person, now }: Around): Fragment {
  return sql`(SELECT ${sql.raw(`f.${ident(step.name)}`)} FROM ${sql.raw(ident(tableOf(step.to)))} f
    WHERE ${sql.raw(`f.id = t.${ident(step.by)}`)} AND ${scopeOf(app, person, resourceOf(step.to), now, 'f')})`
}
