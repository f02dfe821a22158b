import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from '@rjsf/utils'
import type { SchemaError } from '../engine/schema-error.ts'
import { interpret } from './interpreter.ts'

type Check = ReturnType<typeof interpret>

const checks = new WeakMap<object, Check>()

/** The check of a schema, made once for each schema that is kept. */
function checkOf(schema: object): Check {
  const check = checks.get(schema) ?? interpret(schema)
  checks.set(schema, check)
  return check
}

/** A broken rule as the form library knows it; what it tells a person is written by the form's `transformErrors`. */
function asError({ path, keyword }: SchemaError): RJSFValidationError {
  const params = keyword === 'required' ? { missingProperty: path.at(-1) } : {}
  return { name: keyword, property: `.${path.join('.')}`, params, message: keyword, stack: keyword }
}

/** The one validator of the form library: of the forms of resources and of the exams' own. */
export const validator: ValidatorType = {
  validateFormData: (formData, schema, _custom, transformErrors, uiSchema) => {
    const found = checkOf(schema)(formData).map(asError)
    const errors = transformErrors?.(found, uiSchema) ?? found
    return { errors, errorSchema: toErrorSchema(errors) }
  },
  isValid: (schema, formData) => checkOf(schema as object)(formData).length === 0,
  rawValidation: <Result>(schema: RJSFSchema, formData: unknown) => ({
    errors: checkOf(schema)(formData) as readonly SchemaError[] as Result[],
  }),
}
