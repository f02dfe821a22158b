import { type Entity, fieldOf, type Kind } from '#engine'
import { t } from '../../platform/i18n/i18n.ts'

/** Entities of which an installation begins with rows of ours. Their names have English; rows that were added stay as written. */
const seeded: ReadonlySet<string> = new Set(['menu', 'role', 'job-info'])

/** A name of a row of an entity, or several, as it is shown: what the product brings is said in the language in use. */
export function shownName(entity: string | undefined, names: string): string {
  return entity && seeded.has(entity) ? names.replace(/[^,、]+/g, name => t(name)) : names
}

/** Kinds whose values people read as they are. */
const readable: readonly Kind[] = ['text', 'longText', 'date', 'dateTime']

/** What a row is called, as its list shows it; empty where nothing tells. */
export function rowName(entity: Entity, row: Readonly<Record<string, unknown>> | undefined): string {
  const field = fieldOf(entity, entity.label)
  const value = field && (readable.includes(field.kind) ? row?.[entity.label] : row?.[`${entity.label}Name`])
  return typeof value === 'string' ? value.trim() : ''
}
