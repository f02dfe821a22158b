import type { DomainEvent } from './domain-event.ts'
import type { Field } from './field.ts'

/** Kinds of fields that no event keeps: what is kept of it goes out to people and to other systems. */
const unkept: readonly Field['kind'][] = ['sealed', 'secret', 'json', 'richText', 'image', 'file']

/**
 * What types cannot see of events: fields that are kept with them and must not be.
 * @returns one sentence per problem, naming the event and the field; empty when all is well
 */
export const checkEvents = (events: readonly Pick<DomainEvent, 'name' | 'fields' | 'data' | 'entity'>[]): string[] =>
  events.flatMap(({ name, fields, data, entity }) => {
    const all: Readonly<Record<string, Field>> = { ...entity.properties, ...data }
    return [...fields, ...Object.keys(data)].flatMap(field => {
      const kind = all[field]?.kind
      return kind && unkept.includes(kind) ? [`events: ${name}: «${field}» is a ${kind} field, which is not kept`] : []
    })
  })
