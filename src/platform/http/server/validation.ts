import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import { formats, type Kind, missingMessage } from '#engine'

/** What is wrong with one field of a request, in words for the person who sent it. */
export interface FieldProblem {
  field: string
  msg: string
}

function makeAjv(options: { coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({ ...options, allErrors: true, useDefaults: true, removeAdditional: false, strict: false })
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)
  return ajv
}

const strict = makeAjv({ coerceTypes: false })
const lenient = makeAjv({ coerceTypes: true })

/** A validator as Fastify calls it: says whether the data fits, and leaves the errors at itself. */
interface Validator {
  (data: unknown): boolean
  errors?: ErrorObject[] | null | undefined
}

/**
 * Compiles the schemas of routes. A body must have the right types; everything in an address is text and is converted.
 * A schema is compiled when its route is first asked: few of the two thousand ever are in one process.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  let compiled: ValidateFunction | undefined
  const validate: Validator = data => {
    compiled ??= (httpPart === 'body' ? strict : lenient).compile(schema)
    const fits = compiled(data)
    validate.errors = compiled.errors
    return fits
  }
  return validate
}

interface Property {
  title?: string
  kind?: Kind
}

/** Turns a validator's errors into one sentence per field, named as the schema titles it. */
export function fieldProblems(errors: readonly FastifySchemaValidationError[], schema: unknown): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Property> }
  for (const error of errors) {
    // An optional field is either empty or right; that it is not empty is no news.
    if (error.keyword === 'anyOf' || error.schemaPath.includes('/anyOf/0/')) continue
    const field = fieldOf(error)
    if (!problems.has(field)) problems.set(field, { field, msg: sentence(error, field, properties[field]) })
  }
  return [...problems.values()]
}

function fieldOf({ instancePath, params }: FastifySchemaValidationError): string {
  const [first] = instancePath.split('/').slice(1)
  return first ?? String(params.missingProperty ?? params.additionalProperty ?? '')
}

function sentence(error: FastifySchemaValidationError, field: string, property: Property = {}): string {
  const title = property.title ?? field
  const { limit } = error.params as { limit?: number }
  if (field === '') return '请求内容不能为空'
  switch (error.keyword) {
    case 'required':
      return missing(title, property)
    case 'minLength':
      return limit === 1 ? missing(title, property) : `${title}至少${limit}个字`
    case 'maxLength':
      return `${title}最多${limit}个字`
    case 'minimum':
      return `${title}不能小于${limit}`
    case 'maximum':
      return `${title}不能大于${limit}`
    case 'enum':
    case 'const':
      return `${title}取值不正确，请重新选择`
    case 'additionalProperties':
      return `不支持的参数：${field}`
    default:
      return `${title}格式不正确，请检查后重新填写`
  }
}

const missing = (title: string, { kind }: Property) => missingMessage({ kind: kind ?? 'text', title })
