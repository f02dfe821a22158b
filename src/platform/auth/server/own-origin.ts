import type { FastifyRequest } from 'fastify'
import { refuse } from '../../http/server/refusal.ts'

/**
 * Our own address, to which other sites send people back: as configured, and without that only for whoever works on
 * this machine. Never what a stranger's Host header says.
 * @throws input.invalid when it is not known
 */
export function ownOrigin({ server, headers }: FastifyRequest): string {
  const { publicUrl } = server.config
  if (publicUrl) return publicUrl.replace(/\/$/, '')
  const { host = '' } = headers
  if (/^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host)) return `http://${host}`
  throw refuse('input.invalid', { 说明: '服务器未配置对外地址（PUBLIC_URL）' })
}

/** Where a provider sends people back to. */
export const redirectUriOf = (origin: string, source: string): string => `${origin}/oauth/redirect/${source}`

/** Name of the cookie that ties a login elsewhere to the browser that began it; each login has its own. */
export const browserKeyName = (state: string): string => `juxian-oauth-${state.slice(0, 12)}`

/** What the browser kept for a login elsewhere. */
export function browserKeyOf({ headers }: FastifyRequest, state: string): string | undefined {
  const name = browserKeyName(state)
  const pairs = (headers.cookie ?? '').split(/; */).map(pair => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1]
}
