import type { FastifyInstance } from 'fastify'
import { isAllowedHost } from '../../../platform/channels/outside/allowed-host.ts'
import { guardedFetch } from '../../../platform/channels/outside/guarded-fetch.ts'
import { readPlatformParam } from '../../../platform/database/param.ts'
import type { Processor } from '../../../platform/queue/processors.ts'

/** What is asked of another server, as the parameters of a job say it in JSON. */
interface HttpWish {
  method: string
  url: URL
  headers: Record<string, string>
  body: string | undefined
  time: number
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']
/** Milliseconds an answer may take: where nothing is said, and at most. */
const time = { usual: 60_000, most: 600_000 }
/** Headers that are ours or the connection's. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|idempotency-key)$/i

/** Reads the parameters of a job. @returns what is wrong with them, in words */
function wishOf(params: string | null): HttpWish | string {
  let given: unknown
  try {
    given = JSON.parse(params ?? '')
  } catch {
    return '任务参数应为JSON：method、url、headers、body、timeout'
  }
  if (typeof given !== 'object' || given === null) return '任务参数应为JSON：method、url、headers、body、timeout'
  const { method = 'GET', url, headers = {}, body, timeout = time.usual } = given as Record<string, unknown>
  if (typeof method !== 'string' || !methods.includes(method)) return '任务参数的method不正确'
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password)
    return '任务参数的url应以http://或https://开头'
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : null
  const isHeader = ([name, value]: [string, unknown]) =>
    /^[\w-]+$/.test(name) && !ownHeaders.test(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
  if (!entries?.every(isHeader)) return '任务参数的headers不正确'
  const isTime = typeof timeout === 'number' && Number.isInteger(timeout) && timeout > 0 && timeout <= time.most
  if (!isTime) return `任务参数的timeout应为 1 到 ${time.most} 毫秒`
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return { method, url: address, headers: Object.fromEntries(entries) as never, body: text, time: timeout }
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

const listed = async (app: FastifyInstance) => {
  const hosts = await readPlatformParam(app, 'job.hosts')
  return (host: string, port: string) => isAllowedHost(host, port, hosts)
}

/** Calls an address: one of the hosts that the parameter `job.hosts` allows. */
export const httpProcessor = (app: FastifyInstance): Processor => ({
  name: 'http',
  title: '调用地址',
  async check(_app, params) {
    const wish = wishOf(params)
    if (typeof wish === 'string') return wish
    const isListed = await listed(app)
    return isListed(wish.url.hostname, portOf(wish.url)) ? null : '任务参数的主机不在系统参数 job.hosts 允许的范围内'
  },
  async run({ params, runId, signal, log }) {
    const wish = wishOf(params)
    if (typeof wish === 'string') throw new Error(wish)
    const isListed = await listed(app)
    // The list may have become shorter since the address was written down.
    if (!isListed(wish.url.hostname, portOf(wish.url))) throw new Error(`${wish.url.host} is not in job.hosts`)
    const answer = await guardedFetch(isListed)(wish.url, {
      method: wish.method,
      headers: { 'idempotency-key': runId, ...(wish.body && { 'content-type': 'application/json' }), ...wish.headers },
      ...(wish.body !== undefined && { body: wish.body }),
      signal,
      time: wish.time,
    })
    log('info', `${wish.method} ${wish.url.host} → HTTP ${answer.status}`)
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
    return `HTTP ${answer.status}`
  },
})
