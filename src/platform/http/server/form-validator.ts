import { createRequire } from 'node:module'
import type { RJSFSchema, ValidatorType } from '@rjsf/utils'
import type { Ajv, ErrorObject } from 'ajv'
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

/** The validator of the form library, on Ajv, and the Ajv in it, which is told of formats and forgets forms. */
interface FormLibrary {
  readonly validator: ValidatorType
  readonly ajv: Ajv
}

let library: FormLibrary | undefined

/** Loaded with the first form that is checked: with all that the library brings, it would take a tenth of every start. */
function loadLibrary(): FormLibrary {
  const load = createRequire(import.meta.url)
  const { customizeValidator }: typeof import('@rjsf/validator-ajv8') = load('@rjsf/validator-ajv8')
  let ajv: Ajv | undefined
  const validator = customizeValidator({
    ajvOptionsOverrides: {
      verbose: false,
      validateSchema: false,
      // An item called `constructor` is one like any other.
      ownProperties: true,
      code: { regExp: Object.assign(safePattern, { code: 'safePattern' }) },
    },
    ajvFormatOptions: false,
    extenderFn: made => {
      ajv = made
      return made
    },
  })
  return { validator, ajv: ajv as unknown as Ajv }
}

/** Schemas by their content; the one used longest ago stands first. */
const known = new Map<string, RJSFSchema>()

/** The schema with this content that has been compiled, or is about to be. */
function knownSchema(schema: RJSFSchema, { ajv }: FormLibrary): RJSFSchema {
  const content = JSON.stringify(schema)
  const found = known.get(content) ?? schema
  if (found === schema) for (const name of formatNames(schema)) ajv.addFormat(name, formatOf(name) ?? true)
  known.delete(content)
  known.set(content, found)
  const [oldest] = known
  if (oldest && known.size > KEPT) {
    known.delete(oldest[0])
    ajv.removeSchema(oldest[1])
  }
  return found
}

/** Keywords that only say that a part of a schema does not fit, beside the rule in it that says why. */
const wrappers = new Set(['if', 'allOf', 'anyOf', 'oneOf'])

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * Makes the check of a form that people put together, compiled once for each content of its schema.
 * @see CompileSchema
 */
export function compileForm(schema: object): (value: unknown) => readonly SchemaError[] {
  library ??= loadLibrary()
  const { validator } = library
  const own = knownSchema(schema, library)
  return value => {
    const { errors = [], validationError } = validator.rawValidation<ErrorObject>(own, value)
    if (validationError) throw validationError
    return errors
      .filter(error => !wrappers.has(error.keyword))
      .map(({ instancePath, keyword, params }) => {
        const path = instancePath.split('/').slice(1).map(unescaped)
        return { keyword, path: keyword === 'required' ? [...path, String(params.missingProperty)] : path }
      })
  }
}
