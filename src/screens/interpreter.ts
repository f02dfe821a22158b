import { format, type Schema, Validator } from '@cfworker/json-schema'
import { formatNames, formatOf } from '../engine/formats.ts'
import type { SchemaError } from '../engine/schema-error.ts'

/** Keywords that only say that a part of a schema does not fit, beside the rule in it that says why. */
const wrappers = new Set(['if', 'allOf', 'anyOf', 'oneOf', 'properties', 'items', 'contains'])

/** The name in the sentence of a missing property, which the interpreter tells nowhere else. */
const MISSING = /required property "(.*)"\.$/

const unescaped = (name: string): string =>
  decodeURI(name).replaceAll('%23', '#').replaceAll('~1', '/').replaceAll('~0', '~')

function canRead(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

/** A part of a schema without patterns that this browser cannot read: the server runs them. */
function readable(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(readable)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([name, one]) => [name, readable(one)] as const)
  return Object.fromEntries(
    entries.filter(([name, one]) => name !== 'pattern' || typeof one !== 'string' || canRead(one)),
  )
}

/** A value as JSON has it: nothing in it is undefined, and an item called `constructor` is one like any other. */
function asJson(value: unknown): unknown {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.assign(Object.create(null), Object.fromEntries(entries.map(([name, one]) => [name, asJson(one)])))
}

/**
 * Makes the check of a schema without compiling it: the browser may not run text as a program.
 * @see CompileSchema
 */
export function interpret(schema: object): (value: unknown) => readonly SchemaError[] {
  for (const name of formatNames(schema)) {
    const own = formatOf(name)
    if (own) format[name] = own
  }
  const validator = new Validator(readable(schema) as Schema, '7', false)
  return value =>
    validator
      .validate(asJson(value))
      .errors.filter(error => !wrappers.has(error.keyword))
      .map(({ instanceLocation, keyword, error }) => {
        const path = instanceLocation.split('/').slice(1).map(unescaped)
        const [, missing] = (keyword === 'required' && MISSING.exec(error)) || []
        return { keyword, path: missing === undefined ? path : [...path, missing] }
      })
}
