import { baseFields, type Entity, fieldOf, type Resource } from '#engine'
import { type Refusal, refuse, refuseSaying } from '../platform/http/server/refusal.ts'
import { indexesOf } from './table.ts'

function fieldsOf(entity: Entity, index: string): string[] {
  const columns = /\(([^)]*)\)/.exec(indexesOf(entity)[index] ?? '')?.[1] ?? ''
  return columns
    .split(', ')
    .map(column => column.slice(1, -1))
    .filter(column => column !== 'tenantId' || fieldOf(entity, 'tenantId'))
    .map(column => (entity.properties[column] || column in baseFields ? column : column.replace(/Hash$/, '')))
    .filter(Boolean)
}

/** The refusal of an insert or update that a unique index stopped, naming the fields; undefined for any other error. */
export function uniqueRefusal(error: unknown, entity: Entity): Refusal | undefined {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && constraint ? takenRefusal(entity, fieldsOf(entity, constraint)) : undefined
}

/** Does some work on rows of a resource. @throws row.codeTaken and its kind when a unique rule is broken */
export async function namingUnique<T>({ entity }: Resource, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw uniqueRefusal(error, entity) ?? error
  }
}

/** The refusal of a row whose values in some fields another row has already. */
export function takenRefusal(entity: Entity, fields: readonly string[]): Refusal {
  const own = fields.map(field => entity.taken[field]).find(Boolean)
  const titles = fields.map(field => fieldOf(entity, field)?.title ?? field)
  const last = fields.at(-1)
  const data = last ? [{ field: last, msg: `${titles.join('、')}已存在` }] : []
  if (own) return refuse(own, {}, data)
  if (titles.length === 0) return refuse('row.codeTaken', {}, data)
  return refuseSaying('row.codeTaken', `${titles.join('、')}重复`, data)
}
