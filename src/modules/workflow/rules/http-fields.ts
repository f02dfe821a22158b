import { FlowProblem } from './problem.ts'
import { literalOf, type Template } from './template.ts'

/** Name of the action that HTTP tasks are. */
export const httpAction = 'http'

/** Longest time an HTTP task waits for its answer, in milliseconds. */
export const mostTimeout = 60_000

/** Methods of HTTP tasks. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const flags = ['ignoreException', 'saveResponseVariableAsJson']
/** Parameters that are carried out. */
const known = [
  'requestMethod',
  'requestUrl',
  'requestHeaders',
  'requestBody',
  'requestTimeout',
  'failStatusCodes',
  'handleStatusCodes',
  'responseVariableName',
  'resultVariablePrefix',
  ...flags,
]
/** What editors write for parameters that are not carried out, and means nothing. */
const idle = ['false', 'UTF-8']

type Fields = Readonly<Record<string, Template>>

/** A parameter without variables in it; null where it has some, undefined where it does not stand. */
function literal(fields: Fields, name: string): string | null | undefined {
  const template = Object.hasOwn(fields, name) ? fields[name] : undefined
  const text = template && literalOf(template)
  return text ? text.trim() : text
}

/** Numbers of answers, `400,5XX`. */
export const isStatusList = (text: string): boolean =>
  /^\s*[1-5](?:\d\d|XX)(?:\s*,\s*[1-5](?:\d\d|XX))*\s*$/i.test(text)

/** Whether a host may be asked at a port. */
export type HostRule = (host: string, port: string) => boolean

/**
 * Reads an address that may be asked.
 * @throws FlowProblem for another kind of address, one with user names, or a host that may not be asked
 */
export function readAddress(text: string, isAllowed: HostRule): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new FlowProblem(`地址不正确：${text.slice(0, 100)}`)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (!isAllowed(url.hostname, port)) throw new FlowProblem(`不允许访问${url.host}`)
  return url
}

/** The part of an address that says whom it is for, where it stands there as it is. */
function requireHost([first, ...more]: Template, isAllowed: HostRule): void {
  if (typeof first !== 'string') return
  if (more.length === 0) {
    readAddress(first, isAllowed)
    return
  }
  const host = /^[^/?#]*\/\/[^/?#]*[/?#]/.exec(first.trim())?.[0]
  if (host !== undefined) readAddress(host.slice(0, -1), isAllowed)
}

/** Parameters that say how the answer is kept: they are read before anything runs. */
const fixed = ['responseVariableName', 'resultVariablePrefix', 'ignoreException', 'saveResponseVariableAsJson']

/** Variable that takes the answer of an HTTP task; undefined where nobody asks for it. */
export function responseVariable(fields: Fields): string | undefined {
  const prefix = literal(fields, 'resultVariablePrefix')
  return literal(fields, 'responseVariableName') ?? (prefix ? `${prefix}ResponseBody` : undefined)
}

const isFlag = (text: string) => text === 'true' || text === 'false'
const isName = (text: string) => /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u.test(text)
/** What a parameter must be where it has no variables in it. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  requestMethod: text => httpMethods.some(one => one === text.toUpperCase()),
  requestTimeout: text => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= mostTimeout,
  failStatusCodes: isStatusList,
  handleStatusCodes: isStatusList,
  ignoreException: isFlag,
  saveResponseVariableAsJson: isFlag,
  responseVariableName: isName,
  resultVariablePrefix: isName,
}

/**
 * Refuses parameters of an HTTP task that cannot be carried out.
 * @throws FlowProblem
 */
export function requireHttp(fields: Fields, isAllowed: HostRule): void {
  for (const name of Object.keys(fields)) {
    const text = literal(fields, name)
    if (!known.includes(name)) {
      if (text === null || text === undefined || !idle.includes(text)) throw new FlowProblem(`不支持${name}`)
    } else if (text === null && fixed.includes(name)) throw new FlowProblem(`${name}不能含变量`)
    else if (typeof text === 'string' && forms[name] && !forms[name](text))
      throw new FlowProblem(`${name}不正确：${text.slice(0, 50)}`)
  }
  const url = fields.requestUrl
  if (!url) throw new FlowProblem('缺少requestUrl')
  requireHost(url, isAllowed)
}
