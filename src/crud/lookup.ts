import { type Entity, type Resource, tableOf } from '#engine'
import { resources } from '#resources'
import { entities } from '#schemas'

const byName = new Map<string, Resource>(resources.map(one => [one.name, one]))
const byEntity = new Map<string, Resource>(resources.map(one => [one.entity.name, one]))
const byTable = new Map<string, Resource>(resources.map(one => [tableOf(one.entity.name), one]))
const entityByName = new Map<string, Entity>(entities.map(one => [one.name, one]))
const entityByTable = new Map<string, Entity>(entities.map(one => [tableOf(one.name), one]))

/** A resource by a name that may be nobody's. */
export const findResource = (name: string): Resource | undefined => byName.get(name)

/** A resource by its name. @throws when there is none */
export function namedResource(name: string): Resource {
  const found = findResource(name)
  if (!found) throw new Error(`There is no resource «${name}».`)
  return found
}

/** The resource that offers an entity. @throws when there is none */
export function resourceOf(entity: string): Resource {
  const found = byEntity.get(entity)
  if (!found) throw new Error(`No resource offers «${entity}».`)
  return found
}

/** The resource that offers the rows of a table; undefined where none does. */
export const resourceOfTable = (table: string): Resource | undefined => byTable.get(table)

/** An entity by a name that may be nobody's. */
export const findEntity = (name: string): Entity | undefined => entityByName.get(name)

/** The entity whose rows a table holds. */
export const entityOfTable = (table: string): Entity | undefined => entityByTable.get(table)
