import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { PlainRefusalName } from '#engine'
import { unavailability } from '../../database/unavailability.ts'
import { advice } from '../../files/file-advice.ts'
import { inEnglish } from '../../i18n/english.ts'
import '../../metrics/meter.ts'
import { Refusal, refuse, refuseSaying } from './refusal.ts'
import { englishOf, wantsEnglish } from './refusal-english.ts'
import { retryAfter, unavailable } from './unavailable.ts'
import { fieldProblems } from './validation.ts'
import { wire } from './wire.ts'

/** The answer of every call but the token calls. */
export interface Envelope<T = unknown> {
  code: number
  success: boolean
  data: T
  msg: string
}

const done = '操作成功'

/** The envelope of a success. Without data it says that the operation was done. */
export const ok = <T>(data: T | Record<string, never> = {}, msg = done): Envelope<T | Record<string, never>> => ({
  code: 200,
  success: true,
  data: data ?? {},
  msg,
})

/** That an operation was done, in the caller's language. */
export const doneIn = ({ headers }: FastifyRequest): string =>
  wantsEnglish(headers['accept-language']) ? inEnglish(done) : done

/** Answers with the envelope of a success around data that already is JSON text. */
export const sendText = (reply: FastifyReply, data: string, msg = done): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .send(`{"code":200,"success":true,"data":${data},"msg":${JSON.stringify(msg)}}`)

/** Largest body that is no upload, in bytes. */
export const bodyLimit = 1024 * 1024

/** What PostgreSQL says when two requests meet, by its error code. */
const databaseRefusals: Record<string, PlainRefusalName> = {
  '23503': 'row.inUse',
  '23505': 'row.codeTaken',
  '40001': 'input.tooOften',
  '40P01': 'input.tooOften',
  '55P03': 'input.tooOften',
  '57014': 'input.tooOften',
}

/** What Fastify refuses before a handler runs, by its error code. */
const frameworkRefusals: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => refuse('file.tooLarge', { n: bodyLimit / 1024, 做法: '' }),
  FST_REQ_FILE_TOO_LARGE: () => refuse('file.tooLarge', { n: 20 * 1024, 做法: advice.size }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refuse('request.unsupportedMedia'),
  FST_INVALID_MULTIPART_CONTENT_TYPE: () => refuse('request.unsupportedMedia'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => refuseSaying('request.malformed', '消息不能读取'),
  FST_ERR_BAD_URL: () => refuseSaying('request.malformed', '请求地址不正确'),
}

/** Headers that say what the body of an answer is: a refusal in its place has a body of its own. */
export const headersOfBody = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
] as const

/** Makes a reply one that carries a refusal, in the place of whatever was about to be answered. @returns its body */
function refusing(reply: FastifyReply, refusal: Refusal): Envelope {
  const { code, status, data } = refusal
  for (const name of headersOfBody) reply.removeHeader(name)
  if (status === 503) reply.header('retry-after', String(retryAfter))
  reply.code(status)
  return { code, success: false, data: data ?? {}, msg: messageFor(reply.request, refusal) }
}

/** Answers with a refusal, in the place of whatever was about to be answered. */
export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => reply.send(refusing(reply, refusal))

/** The refusal of what is a fault of ours: it says nothing but a number to find it by in the log. */
const faultOf = ({ id }: FastifyRequest): Refusal => refuseSaying('request.failed', `系统异常，请联系管理员（${id}）`)

/**
 * Puts an error into the place of a refusal that is on its way: a call's second error would pass by the error handler, and be told
 * as it is.
 * @returns the text of the answer, for hooks that send it
 */
export function refusalInstead(reply: FastifyReply, error: unknown): string {
  const why = unavailability(error)
  const body = refusing(reply, why ? unavailable(why) : faultOf(reply.request))
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(body)
}

/** The text of a refusal in the caller's language. */
export const messageFor = ({ headers }: FastifyRequest, refusal: Refusal): string =>
  wantsEnglish(headers['accept-language']) ? englishOf(refusal) : refusal.message

/** The refusal of an address that leads nowhere. */
export const notFound = () => refuse('request.notFound')

/** The refusal of an address that is there for other methods. */
export const wrongMethod = () => refuse('request.methodNotAllowed')

/** The refusal of a write that a rule of a table has stopped, naming the field; undefined for any other error. */
export type RuleRefusal = (error: unknown) => Refusal | undefined

/** Reads any error as a refusal; undefined: it is none, but a fault of ours. */
function asRefusal(error: FastifyError, request: FastifyRequest, ofRule: RuleRefusal): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error.validation) {
    const schemas = request.routeOptions.schema as Record<string, unknown> | undefined
    const part = error.validationContext === 'params' ? 'params' : error.validationContext
    const problems = fieldProblems(error.validation, schemas?.[part ?? 'body'])
    return refuse('input.invalid', { 说明: problems.map(({ msg }) => msg).join('；') }, problems)
  }
  const known = frameworkRefusals[error.code]
  if (known) return known()
  const rule = ofRule(error)
  if (rule) return rule
  const name = databaseRefusals[error.code]
  if (name === 'input.tooOften') request.server.meter.count('lock_refusals_total', {})
  if (name) return refuse(name)
  const why = unavailability(error)
  if (why) return unavailable(why)
  if (error.statusCode === 429) return refuse('input.tooOften')
  const isCallers = error.statusCode && error.statusCode >= 400 && error.statusCode < 500
  return isCallers ? refuse('request.malformed') : undefined
}

function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  ofRule: RuleRefusal,
): FastifyReply {
  const refusal = asRefusal(error, request, ofRule)
  if (refusal) {
    request.log.info({ code: refusal.code }, refusal.message)
    return sendRefusal(reply, refusal)
  }
  request.log.error({ err: error }, 'unexpected')
  return sendRefusal(reply, faultOf(request))
}

const isEnvelope = (payload: unknown): payload is Envelope =>
  typeof payload === 'object' && payload !== null && 'success' in payload

/**
 * An answer with its sentences in English: every `msg` at any depth, and the reasons of rows that were `skipped`. Other reasons
 * are what people wrote.
 */
function withEnglish(value: unknown, inSkipped = false): unknown {
  if (Array.isArray(value)) return value.map(one => withEnglish(one, inSkipped))
  if (typeof value !== 'object' || value === null) return value
  const isSaid = (name: string) => name === 'msg' || (inSkipped && name === 'reason')
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isSaid(name) && typeof one === 'string' ? inEnglish(one) : withEnglish(one, name === 'skipped'),
    ]),
  )
}

/** Puts every error into the envelope; what is no refusal says nothing but a number to find it by in the log. */
export default fp<{ ruleRefusal?: RuleRefusal }>(
  async (app, { ruleRefusal = () => undefined }) => {
    app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, ruleRefusal))
    app.addHook('preSerialization', async ({ headers }, _reply, payload) => {
      if (!isEnvelope(payload)) return payload
      const sent = wire(payload)
      return wantsEnglish(headers['accept-language']) ? withEnglish(sent) : sent
    })
    app.addHook('onSend', async (_request, reply) => {
      // The clock of the product, so that clients count down to the same instants as the server.
      reply.header('date', app.now().toUTCString())
    })
  },
  { name: 'envelope', dependencies: ['clock'] },
)
