import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { EnableStatus } from '#schemas/dictionaries'
import { often } from '../../database/often.ts'
import { refuseSaying } from '../../http/server/refusal.ts'
import { verifyPassword } from '../../vault/password.ts'

/** The program that asks for a token. */
export interface TokenClient {
  clientId: string
  grants: readonly string[]
  accessSeconds: number
  refreshSeconds: number
  /** Runs in a browser: its secret is known to everyone, so people behind it prove with a captcha that they are people. */
  isBrowser: boolean
  /** Its own SM2 key, for passwords that it encrypts with the public key it was built with. */
  privateKey: string | undefined
}

const unknownClient = () => refuseSaying('request.unauthenticated', '客户端认证失败')

function readBasic(header: string | undefined): [id: string, secret: string] | null {
  const [, code] = /^basic(?: |%20)+([\w+/=-]+)$/i.exec(header ?? '') ?? []
  const text = code ? Buffer.from(code, 'base64').toString('utf8') : ''
  const colon = text.indexOf(':')
  return colon > 0 ? [text.slice(0, colon), text.slice(colon + 1)] : null
}

/** What is stored of a secret: nothing for a public client, a search hash for the seeded ones, argon2 for the rest. */
async function fits(app: FastifyInstance, stored: string, secret: string): Promise<boolean> {
  if (stored.startsWith('$argon2')) return verifyPassword(stored, secret)
  return sameText(stored, secret ? app.vault.hash('client', secret) : '')
}

const sameText = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * Reads which program is calling from its Basic header.
 * @throws 401 when the client is unknown, disabled or gives the wrong secret
 */
export async function readClient(app: FastifyInstance, authorization: string | undefined): Promise<TokenClient> {
  const [clientId, secret] = readBasic(authorization) ?? ['', '']
  // A program names itself before any tenant is known.
  const row = clientId
    ? await app.db
        .selectFrom('client')
        .select(['clientSecret', 'authorizedGrantTypes', 'accessTokenValidity', 'refreshTokenValidity'])
        .select(['additionalInformation', 'privateKey'])
        .where('clientId', '=', clientId)
        .where('clientStatus', '=', EnableStatus.enabled)
        .where('isDeleted', '=', 0)
        .modifyEnd(often)
        .executeTakeFirst()
    : undefined
  if (!row || !(await fits(app, row.clientSecret ?? '', secret))) throw unknownClient()
  const information = row.additionalInformation as { browser?: boolean } | null
  return {
    clientId,
    grants: commaList(row.authorizedGrantTypes),
    accessSeconds: row.accessTokenValidity || 3600,
    refreshSeconds: row.refreshTokenValidity || 604_800,
    isBrowser: information?.browser === true,
    privateKey: row.privateKey ? app.vault.open(row.privateKey) : undefined,
  }
}

/** The private key of a calling client that has a pair of its own: what it encrypts is read with that. */
export async function clientKeyOf(
  app: FastifyInstance,
  authorization: string | undefined,
): Promise<string | undefined> {
  const [clientId = ''] = readBasic(authorization) ?? []
  const row = await app.db
    .selectFrom('client')
    .select('privateKey')
    .where('clientId', '=', clientId)
    .where('clientStatus', '=', EnableStatus.enabled)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return row?.privateKey ? app.vault.open(row.privateKey) : undefined
}

/** @throws 400 when a client may not use a way of getting a token */
export function requireGrant(client: TokenClient, grant: string): void {
  if (!client.grants.includes(grant)) throw refuseSaying('request.malformed', `不支持的授权类型：${grant.slice(0, 40)}`)
}
