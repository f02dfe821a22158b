import { formSchema, type ObjectSchema, type Resource } from '#engine'
import type { FormRows } from './form-rows.ts'

/** True for a resource whose rows are entered in a generated form. */
export const hasForm = (resource: Resource): boolean => resource.can.includes('add') || resource.can.includes('edit')

/**
 * The schema a form is drawn from and checked by in the browser. Without defaults: they are values of a new row, given
 * once, and must not come back when a person clears an input.
 * @param rows rows of other resources that the form holds beside its own
 */
export function drawnSchema(resource: Resource, rows: readonly FormRows[] = []): ObjectSchema {
  const schema = formSchema(resource)
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { default: _default, ...rules } = property as Record<string, unknown>
    return [name, rules] as const
  })
  const lists = rows.map(({ child, resource: other }) => [child.resource, { type: 'array', items: drawnSchema(other) }])
  return { ...schema, properties: Object.fromEntries([...properties, ...lists]) }
}
