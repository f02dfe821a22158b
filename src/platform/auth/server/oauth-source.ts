import { isIP } from 'node:net'
import type { oauthSource } from '#resources/system/oauth-source'
import type { OauthSource } from '#schemas/system/oauth-source'
import { wrongInput } from '../../../crud/input.ts'
import type { HandlerOf, HookContext, Hooks } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { HostUnreachable } from '../../channels/outside/guarded-fetch.ts'
import { isPrivateAddress } from '../../channels/outside/private-address.ts'
import { probe } from '../../channels/outside/provider.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { ownOrigin, redirectUriOf } from './own-origin.ts'
import { listedHosts } from './social-source.ts'

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/** Refuses an address that could never be asked; what its name leads to is looked at whenever it is. */
async function checkIssuer({ app }: HookContext, issuer: string): Promise<void> {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || url.search || url.hash || url.username) throw wrong('issuer', '签发地址格式不正确')
  const isListed = await listedHosts(app.db)
  if (isListed(url.hostname, url.port || (url.protocol === 'http:' ? '80' : '443'))) return
  if (url.protocol !== 'https:')
    throw wrong('issuer', '签发地址须以 https 开头，内网主机由平台在参数 oauth.hosts 中列出')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || (isIP(host) && isPrivateAddress(host)))
    throw wrong('issuer', '签发地址是内网地址，须由平台在参数 oauth.hosts 中列出')
}

/** Rules of providers: an address this server may ask, and a secret that is sealed and, when it is not sent, stays. */
export const oauthSourceHooks: Hooks<typeof OauthSource> = {
  async beforeSubmit(ctx, given, before) {
    if (given.issuer !== undefined) await checkIssuer(ctx, given.issuer)
    // Accounts are linked to what a source says: under another name or issuer it would be another source.
    const isOther =
      before && (['source', 'issuer'] as const).some(name => name in given && given[name] !== before[name])
    if (isOther && (await isLinked(ctx, [before]))) throw refuse('row.inUse')
    const { clientSecret: secret } = given
    ctx.set({ clientSecret: secret ? ctx.app.vault.seal(secret) : undefined })
  },
  async beforeRemove(ctx, rows) {
    if (await isLinked(ctx, rows)) throw refuse('row.inUse')
  },
}

/** Whether an account is linked to one of some sources, which are of one tenant as whoever writes them. */
async function isLinked({ trx, person }: HookContext, rows: readonly { source: string }[]): Promise<boolean> {
  const found = await trx
    .selectFrom('user_oauth')
    .select('id')
    .where('tenantId', '=', person.tenantId)
    .where(
      'source',
      'in',
      rows.map(row => row.source),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** Why a provider could not be asked, from the outermost reason to the first. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let one = error; one instanceof Error; one = one.cause) reasons.push(one.message)
  return [...new Set(reasons)].join(' ← ').slice(0, 300)
}

/**
 * Asks a provider where its calls are, and says what it said, and which address of ours is to be registered there.
 * @throws row.notFound, auth.providerUnavailable with the reason for whoever set it up
 */
export const probeProvider: HandlerOf<typeof oauthSource, 'probe'> = async ({ app, person, id, request }) => {
  const row = await scoped(app, person, 'oauth_source')
    .select(['source', 'issuer', 'clientId', 'scope'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const redirectUri = redirectUriOf(ownOrigin(request), row.source)
  const provider = { ...row, clientSecret: '', isListed: await listedHosts(app.db) }
  try {
    const { hasPkce } = await probe(provider)
    return { message: hasPkce ? '连接正常，支持 PKCE' : '连接正常，对方未声明支持 PKCE', redirectUri }
  } catch (error) {
    if (!(error instanceof HostUnreachable)) throw error
    throw refuseSaying('auth.providerUnavailable', `连接失败：${reasonsOf(error)}`)
  }
}
