/**
 * A rule of a JSON Schema that a value breaks. `path` leads to the value, `['jobs', '0', 'unit']`; `keyword` is the rule's
 * name in the schema. With `required`, the path is that of the missing value.
 */
export interface SchemaError {
  readonly path: readonly string[]
  readonly keyword: string
}

/** Makes a check of a schema: it answers every rule that a value breaks, none when the value fits. */
export type CompileSchema = (schema: object) => (value: unknown) => readonly SchemaError[]
