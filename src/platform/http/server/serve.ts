import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import {
  type BodyOf,
  type Download,
  type Endpoint,
  isList,
  type List,
  type LooseOf,
  type QueryOf,
  type ReplyOf,
  requestSchema,
  type Shape,
  type Shapes,
} from '#engine'
import type { Access } from './access.ts'
import { doneIn, type Envelope, ok, sendText } from './envelope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call as its contract has it. */
    endpoint?: AnyEndpoint
  }
}

/** Any call with a contract. */
export type AnyEndpoint = Endpoint

/** What the handler of a call is given. */
export interface Served<E> {
  /** What stands in the address, checked. */
  readonly query: QueryOf<E>
  /** What was sent, checked. */
  readonly body: BodyOf<E>
  /** What clients send in the address or in the body, unchecked: what the body says counts, and first the address's own parts. */
  readonly values: LooseOf<E>
  readonly app: FastifyInstance
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

declare const isSent: unique symbol
/** A reply that a handler has sent by itself; see {@link sent}. */
export interface Sent {
  readonly [isSent]: true
}

/**
 * What a handler returns that has answered by itself and not as its contract says: a redirect, a status without a body, a
 * refusal with data.
 */
export const sent = (reply: FastifyReply): Sent => reply as unknown as Sent

declare const shape: unique symbol

/** An answer that already is JSON text; see {@link jsonText}. */
export class JsonText<T> {
  declare readonly [shape]: T
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * What a handler returns for an answer that the database has already made into JSON text of the declared shape: it is sent
 * unread. The compiler cannot see what a text holds; tests compare every answer with its contract.
 */
export const jsonText = <T>(text: string): JsonText<T> => new JsonText(text)

/** What a handler gives where the contract has an answer: its data, or for a file the reply that carries it. */
type Outcome<E> = E extends { readonly answer: Download | null }
  ? FastifyReply | Envelope
  : ReplyOf<E> | JsonText<ReplyOf<E>> | Sent

/** Does what a call is for. */
export type Serving<E> = E extends { readonly answer: Shape | Download | null }
  ? (given: Served<E>) => Outcome<E> | Promise<Outcome<E>>
  : (given: Served<E>) => Promise<void> | Promise<Sent>

function accessOf({ access, views }: AnyEndpoint): Access {
  if (typeof access === 'string') return access
  return views ? { permission: access, views } : { permission: access }
}

/** The schema of a body, also where one of several names is enough. */
const bodySchema = (body: Shapes, { anyOf, openBody }: AnyEndpoint): object => ({
  ...requestSchema(body, openBody),
  ...(anyOf && { anyOf: anyOf.map(required => ({ required })) }),
})

const schemaOf = (one: AnyEndpoint): FastifySchema & { summary: string } => ({
  summary: one.title,
  ...(one.query !== null && { querystring: requestSchema(one.query as Shapes) }),
  ...(one.body !== null && { body: bodySchema(one.body as Shapes, one) }),
})

const configOf = (one: AnyEndpoint) => ({
  access: accessOf(one),
  endpoint: one,
  ...(one.upload && { form: one.work ? { ...one.upload, work: one.work } : one.upload }),
  ...(one.work && !one.upload && { work: one.work }),
  ...(one.changes && { changes: true }),
  ...(one.quiet && { quiet: true as const }),
  ...(one.scraped && { scraped: true as const }),
  ...(one.beforePasswordChange && { beforePasswordChange: true as const }),
  ...(one.withoutDatabase && { withoutDatabase: true as const }),
  ...(one.essential && { essential: true as const }),
  ...(one.counted && { counted: one.counted }),
})

/** Whether the handler gives the whole body: a file, the word that it is to come, or what has no envelope. */
const isWhole = ({ answer, bare }: AnyEndpoint): boolean =>
  bare === true || (answer as { shape?: string } | null)?.shape === 'download'

/** What came of the loose values of a call. */
function looseOf({ values }: AnyEndpoint, request: FastifyRequest): unknown {
  const { query, body, params } = request as Record<'query' | 'body' | 'params', object>
  if (values === null) return {}
  if (isList(values as Shapes | List)) return Array.isArray(body) ? body : []
  return { ...query, ...body, ...params }
}

async function withBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

/** For `before` of {@link serve}: clients may put the values of the body into the address; those of the body count. */
export async function withAddress(request: FastifyRequest): Promise<void> {
  request.body = { ...(request.query as object), ...(request.body as object | undefined) }
}

/**
 * Answers a call as its contract says: who may make it, what it takes, and the envelope around what it answers. What a handler
 * answers is held to the contract by the compiler and by the tests, and sent as it is.
 * @param handler what the call does; it throws refusals
 * @param before makes of a form the body that is checked
 */
export function serve<E extends AnyEndpoint>(
  app: FastifyInstance,
  one: E,
  handler: Serving<NoInfer<E>>,
  before?: (request: FastifyRequest) => Promise<void>,
): void {
  const calls = [`${one.method} ${one.path}`, ...(one.also ?? [])]
  for (const call of calls) {
    const [method, path] = call.split(' ') as ['GET' | 'POST', string]
    app.route({
      method,
      url: `/api${path}`,
      config: configOf(one),
      schema: schemaOf(one),
      ...(one.bodyKB && { bodyLimit: one.bodyKB * 1024 }),
      ...((before || one.emptyBody) && { preValidation: before ?? withBody }),
      handler: async (request, reply) => {
        const { query, body } = request
        const values = looseOf(one, request)
        const given = { query, body, values, app: request.server, request, reply } as unknown as Served<E>
        const answer = (await handler(given)) as unknown
        // A reply that was awaited has become nothing: it is sent already.
        if (reply.sent) return reply
        if (answer instanceof JsonText) return sendText(reply, answer.text, doneIn(request))
        return answer === reply || isWhole(one) ? answer : ok(answer)
      },
    })
  }
}
