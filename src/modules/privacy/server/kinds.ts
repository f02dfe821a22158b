import { type Entity, type Resource, tableOf } from '#engine'
import { resources } from '#resources'
import { entities } from '#schemas'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'

/** An entity whose rows are about persons. */
export type PersonalEntity = Entity & { readonly about: string }

const entityNamed = (name: string): PersonalEntity | undefined =>
  (entities as readonly Entity[]).find((one): one is PersonalEntity => one.name === name && one.about !== null)

/** The entity that leads from a row to its person; undefined for the account itself. */
const above = ({ about, properties }: PersonalEntity): PersonalEntity | undefined =>
  about === 'id' ? undefined : entityNamed(properties[about]?.ref ?? '')

function depthOf(entity: PersonalEntity): number {
  const next = above(entity)
  return next ? depthOf(next) + 1 : 0
}

/** Every kind of rows about persons: the account first, what refers to it then. */
export const personalEntities: readonly PersonalEntity[] = (entities as readonly Entity[])
  .filter((one): one is PersonalEntity => one.about !== null)
  .toSorted((one, other) => depthOf(one) - depthOf(other))

/** The resource of an entity; undefined for one that no screen shows. */
export const resourceFor = ({ name }: Entity): Resource | undefined =>
  (resources as readonly Resource[]).find(one => one.entity.name === name)

/** Rows about one person, by what leads to them: the values of the field `about`. */
export type LeadingIds = (entity: PersonalEntity) => readonly string[]

type Table = keyof LiveDatabase

/** The table of an entity that is known by its definition only, with the columns of any that has them. */
export const tableFor = (entity: Entity): 'signup' => tableOf(entity.name) as Table as 'signup'

/** A column by a name of the definition. */
export const column = (name: string): 'userId' => name as 'userId'

/**
 * Finds the rows through which others are about a person.
 * @param db the live handle, or one that meets removed rows, too
 */
export async function leadingIds(db: Live, userId: string): Promise<LeadingIds> {
  const own = new Map<string, readonly string[]>()
  const led = (entity: PersonalEntity): readonly string[] => {
    const next = above(entity)
    return next ? (own.get(next.name) ?? []) : [userId]
  }
  const leading = new Set(personalEntities.flatMap(one => above(one)?.name ?? []))
  for (const entity of personalEntities) {
    if (!leading.has(entity.name)) continue
    const ids = led(entity)
    const query = db.selectFrom(tableFor(entity)).select('id')
    const rows = ids.length === 0 ? [] : await query.where(column(entity.about), 'in', [...ids]).execute()
    own.set(
      entity.name,
      rows.map(({ id }) => id),
    )
  }
  return led
}
