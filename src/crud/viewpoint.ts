import { sql } from 'kysely'
import { compiled } from './fragment.ts'
import { measuredParts } from './measure.ts'
import type { Read } from './read.ts'
import { isOwner, mayRead } from './readable.ts'
import { hooksOf } from './rules.ts'
import { meetsWholeTable, scopeOf } from './scope.ts'
import { joinsOf } from './step.ts'

const anyTime = new Date(0)

/** Tells apart who may see which rows of a resource in which way: those of the same viewpoint may share a statement. */
export function viewpointOf({ app, person, resource }: Read): string {
  // No more is to be known of who meets every row of the tenant.
  const isPlain = Object.keys(resource.steps).length === 0 && !hooksOf(app, resource).measure
  if (meetsWholeTable(person, resource) && isPlain) return `${resource.name} ${person.tenantId}`
  const asking = { app, person, resource, now: anyTime }
  const measured = measuredParts(asking, name => mayRead(person, resource, name))
  const limits = compiled(
    sql`${scopeOf(app, person, resource, anyTime)} ${joinsOf({ app, person, resource }, anyTime)}${measured}`,
  )
  return JSON.stringify([resource.name, isOwner(person), limits])
}
