import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tokenHash } from '../rules/session.ts'

const cookie = 'juxian-device'
/** Days for which a browser is known after its last sign-in. */
const days = 180

/** What a browser holds by which it is known; a new one for a browser that holds none. It opens nothing. */
export function deviceOf({ headers }: FastifyRequest): string {
  const pairs = (headers.cookie ?? '').split(/; */).map(pair => pair.split('='))
  const held = pairs.find(([name]) => name === cookie)?.[1]
  return held && /^[\w-]{43}$/.test(held) ? held : randomBytes(32).toString('base64url')
}

/** Has the browser keep by what it is known. It is sent to the calls that sign in only, and no script reads it. */
export function keepDevice(request: FastifyRequest, reply: FastifyReply, device: string): void {
  const isSecure = request.protocol === 'https' || request.server.config.publicUrl?.startsWith('https:')
  const parts = [`${cookie}=${device}`, 'Path=/api/blade-auth/oauth', `Max-Age=${days * 86_400}`, 'HttpOnly']
  reply.header('set-cookie', [...parts, 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])].join('; '))
}

/** The name under which the attempts of a device are counted, by the hash that is stored of it. */
export const deviceName = (hash: string): string => hash.slice(0, 32)

/** The row by which a device is known for an account from now on. */
export const deviceRow = (userId: string, device: string, now: Date) => ({
  hash: tokenHash(device),
  userId,
  createTime: now,
  until: new Date(now.getTime() + days * 86_400_000),
})
