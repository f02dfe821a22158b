import { Ajv, type ValidateFunction } from 'ajv'
import { formatNames, formatOf, type SchemaError } from '#engine'
import { matches } from '../../../engine/pattern.ts'

/** Forms kept compiled. One of them is an exam's form for one type of position, or a draft of it in the form builder. */
const KEPT = 300

/** Runs a pattern that a person wrote, in time that grows with the text only. One that cannot be read fits everything. */
function safePattern(pattern: string): { test: (text: string) => boolean; toString: () => string } {
  return {
    test: text => {
      try {
        return matches(pattern, text)
      } catch {
        return true
      }
    },
    toString: () => pattern,
  }
}

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  validateSchema: false,
  // An item called `constructor` is one like any other.
  ownProperties: true,
  code: { regExp: Object.assign(safePattern, { code: 'safePattern' }) },
})

function compile(schema: object): ValidateFunction {
  for (const name of formatNames(schema)) ajv.addFormat(name, formatOf(name) ?? true)
  return ajv.compile(schema)
}

const compiled = new Map<string, { schema: object; validate: ValidateFunction }>()

/** The compiled function of a schema with this content; the one used longest ago makes room. */
function validatorOf(schema: object): ValidateFunction {
  const content = JSON.stringify(schema)
  const found = compiled.get(content) ?? { schema, validate: compile(schema) }
  compiled.delete(content)
  compiled.set(content, found)
  const [oldest] = compiled
  if (oldest && compiled.size > KEPT) {
    compiled.delete(oldest[0])
    ajv.removeSchema(oldest[1].schema)
  }
  return found.validate
}

/** Keywords that only say that a part of a schema does not fit, beside the rule in it that says why. */
const wrappers = new Set(['if', 'allOf', 'anyOf', 'oneOf'])

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * Makes the check of a form that people put together, compiled once for each content of its schema.
 * @see CompileSchema
 */
export function compileForm(schema: object): (value: unknown) => readonly SchemaError[] {
  const validate = validatorOf(schema)
  return value => {
    if (validate(value)) return []
    return (validate.errors ?? [])
      .filter(error => !wrappers.has(error.keyword))
      .map(({ instancePath, keyword, params }) => {
        const path = instancePath.split('/').slice(1).map(unescaped)
        return { keyword, path: keyword === 'required' ? [...path, String(params.missingProperty)] : path }
      })
  }
}
