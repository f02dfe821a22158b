import type { FastifyInstance } from 'fastify'
import type { ReplyOf } from '#engine'
import type { Reader } from '../../database/database.ts'
import type { UserOauthTable } from '../../database/oauth-tables.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import type { outsideLinks } from '../contract.ts'
import { arrive, type Return } from './social-flow.ts'
import { enabledSources } from './social-source.ts'

/**
 * Makes an identity an account's. What an account that was removed had is free again.
 * @throws auth.identityLinked when it is somebody's, also one's own, or the account has another one of this source
 */
export async function link(db: Reader, given: Omit<UserOauthTable, 'id'>): Promise<void> {
  const { tenantId, issuer, uuid } = given
  await db
    .deleteFrom('user_oauth')
    .where('tenantId', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('uuid', '=', uuid)
    .where('userId', 'in', gone => gone.selectFrom('user').select('id').where('isDeleted', '=', 1))
    .execute()
  const made = await db
    .insertInto('user_oauth')
    .values(given)
    .onConflict(clash => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw refuse('auth.identityLinked')
}

/**
 * Links what a person brought back from a provider to the person's account.
 * @throws auth.providerLoginExpired, auth.providerAnswerInvalid, auth.providerUnavailable, auth.identityLinked,
 * input.tooOften
 */
export async function linkOwn(app: FastifyInstance, person: Person, given: Omit<Return, 'userId'>): Promise<void> {
  const { userId, tenantId } = person
  const known = await arrive(app, { ...given, userId })
  if (known.tenantId !== tenantId) throw refuse('auth.providerLoginExpired')
  const { issuer, subject: uuid, nickname, source } = known
  await link(app.db, { tenantId, userId, source, issuer, uuid, nickname, createTime: app.now() })
}

/** Ends that an identity of a source signs in as this person. @throws row.notFound when none does */
export async function unlinkOwn(app: FastifyInstance, { userId }: Person, source: string): Promise<void> {
  const gone = await app.db
    .deleteFrom('user_oauth')
    .where('userId', '=', userId)
    .where('source', '=', source)
    .executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw refuse('row.notFound')
}

/** The providers of a person's tenant, and what of each is linked: nothing says `linked` 0. */
export async function ownLinks(
  app: FastifyInstance,
  { userId, tenantId }: Person,
): Promise<ReplyOf<typeof outsideLinks>> {
  const [offered, linked] = await Promise.all([
    enabledSources(app, tenantId),
    app.db.selectFrom('user_oauth').select(['source', 'nickname', 'createTime']).where('userId', '=', userId).execute(),
  ])
  const bySource = new Map(linked.map(one => [one.source, one]))
  const old = linked.filter(one => !offered.some(({ source }) => source === one.source))
  return [...offered, ...old.map(({ source }) => ({ source, sourceName: source }))].map(one => {
    const found = bySource.get(one.source)
    return { ...one, linked: found ? 1 : 0, nickname: found?.nickname ?? null, createTime: found?.createTime ?? null }
  })
}
