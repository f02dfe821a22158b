import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { EnableStatus } from '#schemas/dictionaries'
import { refuse } from '../../http/server/refusal.ts'

/** What a program asks a signed-in person for, as it stands in the address (RFC 6749 §4.1.1, RFC 7636). */
export interface Asked {
  response_type?: string
  client_id?: string
  redirect_uri?: string
  scope?: string
  state?: string
  code_challenge?: string
  code_challenge_method?: string
}

/** A wish that may be put to a person. */
export interface CodeWish {
  clientId: string
  redirectUri: string
  scope: string
  state: string
  challenge: string | null
}

const wrong = (reason: string) => refuse('input.invalid', { 说明: reason })

/** Addresses a browser may be sent to: https, this machine, or a program's own scheme (RFC 8252), never a script. */
const isAddress = (text: string): boolean =>
  URL.canParse(text) &&
  !text.includes('#') &&
  /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]|[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:)/.test(text)

/** Words of a scope, whatever stands between them. */
const words = (text: string | null | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

/** The challenge of PKCE; a program without a secret of its own must bring one. */
function readChallenge(asked: Asked, isPublic: boolean): string | null {
  const { code_challenge: challenge = '', code_challenge_method: method = '' } = asked
  if (!challenge && !isPublic) return null
  if (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)) throw wrong('应用须使用 PKCE（S256）')
  return challenge
}

/**
 * Checks what a program asks for. Whatever does not fit is told to the person, never to the address it came with: that
 * could be anybody's.
 * @throws input.invalid for an unknown program, an address that is not registered to the letter, or a missing PKCE
 * challenge
 */
export async function readWish(app: FastifyInstance, asked: Asked): Promise<CodeWish> {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state = '' } = asked
  // A program names itself before any tenant is known.
  const client = await app.db
    .selectFrom('client')
    .select(['clientSecret', 'authorizedGrantTypes', 'webServerRedirectUri', 'scope', 'additionalInformation'])
    .where('clientId', '=', clientId)
    .where('clientStatus', '=', EnableStatus.enabled)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!client || !commaList(client.authorizedGrantTypes).includes('authorization_code')) throw wrong('应用未登记')
  if (!commaList(client.webServerRedirectUri).includes(redirectUri) || !isAddress(redirectUri))
    throw wrong('应用的回调地址未登记')
  if (asked.response_type !== 'code') throw wrong('应用请求的授权方式不支持')
  if (state.length > 1000) throw wrong('应用请求的状态过长')
  const own = words(client.scope)
  const wanted = words(asked.scope)
  if (!wanted.every(one => own.includes(one))) throw wrong('应用请求的范围超出登记')
  const information = client.additionalInformation as { browser?: boolean } | null
  const isPublic = !client.clientSecret || information?.browser === true
  const scope = (wanted.length > 0 ? wanted : own).join(' ')
  return { clientId, redirectUri, scope, state, challenge: readChallenge(asked, isPublic) }
}
