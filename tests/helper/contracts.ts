import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerSchema, formats, type Shape } from '#engine'

const ajv = new Ajv({ allErrors: true, strict: false })
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)
ajv.addFormat('date', /^$|^\d{4}-\d{2}-\d{2}$/)

const compiled = new Map<object, ValidateFunction>()

function validatorOf(shape: Shape): ValidateFunction {
  const known = compiled.get(shape) ?? ajv.compile(answerSchema(shape))
  compiled.set(shape, known)
  return known
}

const nothing: Shape = { shape: 'group', of: {} }

/** What a call promises to answer as JSON; undefined where nobody has said it, and for files. */
function promised({ routeOptions: { config } }: FastifyRequest): { shape: Shape; isBare: boolean } | undefined {
  const said = config.endpoint ?? config.describes
  if (!said || said.answer === undefined) return undefined
  const answer = said.answer as Shape | { shape: 'download' } | null
  if (answer && 'shape' in answer && answer.shape === 'download') return undefined
  return { shape: (answer as Shape | null) ?? nothing, isBare: said.bare === true }
}

/** What is wrong with an answer, in one line; undefined when it is as promised. */
function mismatch(request: FastifyRequest, payload: string): string | undefined {
  const said = promised(request)
  if (!said) return undefined
  const body = JSON.parse(payload) as { success?: boolean; data?: unknown }
  if (!said.isBare && body.success !== true) return undefined
  const validate = validatorOf(said.shape)
  if (validate(said.isBare ? body : body.data)) return undefined
  const { method, url } = request.routeOptions
  const faults = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf').slice(0, 4)
  const words = faults.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  return `${method} ${url}: ${words.join('; ')}`
}

/**
 * Compares every answer of a server under test with what its contract, or the definition of its resource, promises.
 * @returns what did not fit so far, each call and fault once
 */
export function watchAnswers(app: FastifyInstance): ReadonlySet<string> {
  const wrong = new Set<string>()
  app.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '')
    if (reply.statusCode !== 200 || typeof payload !== 'string' || !type.includes('json')) return
    const fault = mismatch(request, payload)
    if (fault) wrong.add(fault)
  })
  return wrong
}
