import { isAllowedHost } from '../../../platform/channels/outside/allowed-host.ts'
import { guardedFetch, HostUnreachable } from '../../../platform/channels/outside/guarded-fetch.ts'
import { readPlatformParam } from '../../../platform/database/param.ts'
import { httpAction as name, readAddress } from '../rules/http-fields.ts'
import { fillRequest, type HttpRequest, meaningOf } from '../rules/http-request.ts'
import { FlowError } from '../rules/run/env.ts'
import type { Value } from '../rules/value.ts'
import type { FlowAction } from './action.ts'

/** What a request to another system came to. */
async function ask({ url, method, headers, body, timeout, ...meaning }: HttpRequest, rule: Rule): Promise<string> {
  const address = readAddress(url, rule.isListed)
  const answer = await guardedFetch(rule.isListed)(address, {
    method,
    headers: { ...headers, 'idempotency-key': rule.key },
    body,
    time: timeout,
    signal: rule.signal,
    isStrict: true,
  })
  const found = meaningOf(answer.status, meaning)
  const words = `${address.host}返回HTTP ${answer.status}`
  if (found === 'error') throw new FlowError(`HTTP${answer.status}`, words, true)
  if (found === 'failure') throw new FlowError(`HTTP${answer.status}`, words)
  return answer.text()
}

interface Rule {
  readonly key: string
  readonly signal: AbortSignal | undefined
  readonly isListed: (host: string, port: string) => boolean
}

function parsed(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new FlowError('HTTP', 'HTTP任务的返回不是JSON')
  }
}

/** Whether the piece of work must stop, which says nothing about the other system. */
const isStopped = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

/**
 * Asks another system at a step of the model, after the move. The other one may be asked again after a failure or the end of a
 * process; its `Idempotency-Key` is the same then. Hosts must be in the parameter `flow.hosts`, and no redirect is followed.
 */
export const httpAction: FlowAction = {
  name,
  title: 'HTTP任务',
  fields: [],
  when: 'after',
  fill: ({ fields, resultVariable }, variables) => ({
    request: fillRequest(fields, variables),
    isKept: resultVariable !== undefined,
  }),
  async run({ server, key, signal }, { request: given, isKept }) {
    const request = given as HttpRequest
    const hosts = await readPlatformParam(server, 'flow.hosts')
    const isListed = (host: string, port: string) => isAllowedHost(host, port, hosts)
    try {
      const text = await ask(request, { key: key ?? '', signal, isListed })
      if (isKept !== true) return null
      return request.asJson ? parsed(text) : text
    } catch (error) {
      if (isStopped(signal)) throw error
      const known = error instanceof HostUnreachable ? new FlowError('HTTP', `无法访问：${error.message}`) : error
      // A failure that the model does not mind is not tried again; an answer that it handles is no failure.
      if (request.ignore && known instanceof FlowError && !known.isFinal) return null
      throw known
    }
  },
}
