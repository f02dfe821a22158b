import { formSchema, type ObjectSchema, type Resource } from '#engine'

/** True for a resource whose rows are entered in a generated form. */
export const hasForm = (resource: Resource): boolean => resource.can.includes('add') || resource.can.includes('edit')

/**
 * The schema a form is compiled and drawn from. Without defaults: they are values of a new row, given once, and must not
 * come back when a person clears an input.
 */
export function drawnSchema(resource: Resource): ObjectSchema & { $id: string } {
  const schema = formSchema(resource)
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { default: _default, ...rules } = property as Record<string, unknown>
    return [name, rules] as const
  })
  // The compiled function is exported under this name.
  return {
    ...schema,
    $id: `form_${resource.name.replaceAll(/[-.]/g, '_')}`,
    properties: Object.fromEntries(properties),
  }
}
