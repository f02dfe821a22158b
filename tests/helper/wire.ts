import axios, { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { vi } from 'vitest'
import { UserType } from '#schemas/dictionaries'
import type { TokenAnswer } from '../../src/platform/http/browser/session.ts'

/** A request as the wire sees it. */
export interface Sent {
  method: string
  path: string
  params: Record<string, unknown>
  data: unknown
  headers: Record<string, string>
}

/** What the wire answers: an HTTP status, a body, headers; or no answer at all. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> } | 'unreachable'

const refused = (config: InternalAxiosRequestConfig, response?: AxiosResponse): never => {
  throw response
    ? new AxiosError('Bad response', AxiosError.ERR_BAD_RESPONSE, config, null, response)
    : new AxiosError('Network Error', 'ERR_NETWORK', config)
}

/**
 * A fresh `http` module on a wire that `answer` is the other end of, with everything that was sent and shown.
 * The adapter is axios' own seam: what is tested runs from `call` down to the request's headers.
 */
export async function wired(answer: (sent: Sent, at: number) => Reply | Promise<Reply>) {
  const sent: Sent[] = []
  axios.defaults.adapter = async config => {
    const { method = 'get', url = '', params = {}, data, headers } = config
    const one = {
      method: method.toUpperCase(),
      path: url,
      params,
      data,
      headers: headers.toJSON() as Record<string, string>,
    }
    sent.push(one)
    const reply = await answer(one, sent.length - 1)
    if (reply === 'unreachable') return refused(config)
    const status = reply.status ?? 200
    const response = { data: reply.body, status, statusText: '', headers: reply.headers ?? {}, config }
    return !config.validateStatus || config.validateStatus(status) ? response : refused(config, response)
  }
  vi.resetModules()
  const http = await import('../../src/platform/http/browser/http.ts')
  const { session } = await import('../../src/platform/http/browser/session.ts')
  const { switchRole } = await import('../../src/platform/http/browser/switch-role.ts')
  const shown: string[] = []
  let ended = 0
  http.traffic.refused = text => shown.push(text)
  http.traffic.ended = () => {
    ended++
    return undefined
  }
  return { ...http, switchRole, session, sent, shown, ended: () => ended }
}

/** An envelope. */
export const ok = (data: unknown): Reply => ({ body: { code: 200, success: true, data, msg: '操作成功' } })

/** A refusal. */
export const refusal = (code: number, msg: string, status = 400): Reply => ({
  status,
  body: { code, success: false, data: {}, msg },
})

/** What the token call answers. */
export const tokens = (name: string, rest: Partial<TokenAnswer> = {}): TokenAnswer => ({
  access_token: name,
  refresh_token: `refresh-${name}`,
  user_id: '1',
  account: 'admin',
  userType: UserType.staff,
  ...rest,
})
