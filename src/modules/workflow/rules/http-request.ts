import { evaluate } from './expression.ts'
import { httpMethods, isStatusList, mostTimeout } from './http-fields.ts'
import { FlowProblem } from './problem.ts'
import { fillTemplate, literalOf, type Template } from './template.ts'
import { order, textOf, type Value, type Variables } from './value.ts'

/** What an HTTP task asks, as it is kept in the queue. */
export type HttpRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Milliseconds. */
  readonly timeout: number
  /** Numbers of answers that are a failure; null for those from 400 on. */
  readonly fail: readonly string[] | null
  /** Numbers of answers that are an error of the process, which a boundary event may catch. */
  readonly handle: readonly string[]
  /** Whether the process goes on without an answer. */
  readonly ignore: boolean
  /** Whether the answer is kept as what its JSON holds. */
  readonly asJson: boolean
}

type Fields = Readonly<Record<string, Template>>

const usualTimeout = 8000
const mostBody = 1024 * 1024

const isNumeric = (text: string): boolean => !Number.isNaN(order(text, 0))

/** A value inside of JSON: what is written into a quoted text stays inside of it, elsewhere it is one value. */
function writeJson(value: Value, isQuoted: boolean): string {
  if (isQuoted) return JSON.stringify(textOf(value)).slice(1, -1)
  return typeof value === 'string' && isNumeric(value) ? value.trim() : JSON.stringify(value)
}

/** Whether the end of a text is inside of a quoted one, given whether its beginning is. */
function endsQuoted(text: string, isQuoted: boolean): boolean {
  let inside = isQuoted
  for (let at = 0; at < text.length; at += 1) {
    if (inside && text[at] === '\\') at += 1
    else if (text[at] === '"') inside = !inside
  }
  return inside
}

/** A body; one that is JSON stays what its model says, whatever stands in the variables. */
export function fillBody(template: Template, variables: Variables): string {
  const [first] = template
  const isJson = typeof first === 'string' && /^\s*[[{]/.test(first)
  if (!isJson) return fillTemplate(template, variables)
  let isQuoted = false
  return template
    .map(part => {
      if (typeof part !== 'string') return writeJson(evaluate(part, variables), isQuoted)
      isQuoted = endsQuoted(part, isQuoted)
      return part
    })
    .join('')
}

/** An address: what is filled in is encoded, unless the whole address or its beginning is. */
function fillAddress([first, ...more]: Template, variables: Variables): string {
  const encoded = fillTemplate(more, variables, value => encodeURIComponent(textOf(value)))
  return `${first === undefined ? '' : fillTemplate([first], variables)}${encoded}`.trim()
}

/** Headers that say how a request is sent, which is not the model's to say. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'idempotency-key',
])

/** Headers, one in a line; what is filled in cannot begin another. */
function fillHeaders(template: Template, variables: Variables): Record<string, string> {
  const text = fillTemplate(template, variables, value => textOf(value).replace(/[\r\n]+/g, ' '))
  const found: Record<string, string> = {}
  for (const line of text.split(/\r?\n/).filter(one => one.trim() !== '')) {
    const [, name = '', value = ''] =
      /^\s*([\w!#$%&'*+.^`|~-]{1,100})\s*:\s*([\t\x20-\x7e\x80-\xff]*?)\s*$/.exec(line) ?? []
    if (name === '') throw new FlowProblem(`请求头不正确：${line.trim().slice(0, 50)}`)
    if (ownHeaders.has(name.toLowerCase())) throw new FlowProblem(`请求头${name}由系统填写`)
    found[name.toLowerCase()] = value
  }
  return found
}

const isJsonBody = (body: string): boolean => /^\s*[[{]/.test(body)

/**
 * What an HTTP task asks, with its variables filled in.
 * @throws FlowProblem for what cannot be asked
 */
export function fillRequest(fields: Fields, variables: Variables): HttpRequest {
  const textIn = (name: string): string => {
    const template = Object.hasOwn(fields, name) ? fields[name] : undefined
    return template ? fillTemplate(template, variables).trim() : ''
  }
  const codesIn = (name: string): string[] | null => {
    const text = textIn(name)
    if (text === '') return null
    if (!isStatusList(text)) throw new FlowProblem(`${name}不正确：${text.slice(0, 50)}`)
    return text.split(',').map(one => one.trim().toUpperCase())
  }
  const method = textIn('requestMethod').toUpperCase() || 'GET'
  if (!httpMethods.some(one => one === method)) throw new FlowProblem(`requestMethod不正确：${method.slice(0, 50)}`)
  const timeout = Number(textIn('requestTimeout') || usualTimeout)
  if (!(Number.isInteger(timeout) && timeout >= 1 && timeout <= mostTimeout))
    throw new FlowProblem(`requestTimeout不正确：${textIn('requestTimeout').slice(0, 50)}`)
  const body = fields.requestBody ? fillBody(fields.requestBody, variables) : null
  if (body !== null && body.length > mostBody) throw new FlowProblem('请求内容不能超过1MB')
  const headers = fields.requestHeaders ? fillHeaders(fields.requestHeaders, variables) : {}
  if (body !== null && !headers['content-type'])
    headers['content-type'] = isJsonBody(body) ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8'
  const isSet = (name: string) => fields[name] !== undefined && literalOf(fields[name])?.trim() === 'true'
  return {
    method,
    url: fillAddress(fields.requestUrl ?? [], variables),
    headers,
    body,
    timeout,
    fail: codesIn('failStatusCodes'),
    handle: codesIn('handleStatusCodes') ?? [],
    ignore: isSet('ignoreException'),
    asJson: isSet('saveResponseVariableAsJson'),
  }
}

/** Whether the number of an answer is in a list, `404` or `4XX`. */
const isAmong = (status: number, codes: readonly string[]): boolean =>
  codes.includes(String(status)) || codes.includes(`${Math.floor(status / 100)}XX`)

/** What the number of an answer means; one that leads elsewhere is not followed. */
export function meaningOf(
  status: number,
  { fail, handle }: Pick<HttpRequest, 'fail' | 'handle'>,
): 'good' | 'error' | 'failure' {
  if (isAmong(status, handle)) return 'error'
  const isFailure = status < 200 || (status >= 300 && status < 400) || (fail ? isAmong(status, fail) : status >= 400)
  return isFailure ? 'failure' : 'good'
}
