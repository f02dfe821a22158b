import { eraseBinding } from '../../../platform/accounts/server/wechat-binding.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { ConsentKind } from '../contract.ts'

/** What the account was given for. Uploads of a sign-up are consented to one by one. */
export type AccountConsent = Exclude<ConsentKind, 'upload'>

/** What a person has given beyond what an exam needs, by what it was consented to; empty texts for nothing. */
export async function givenByConsent(db: Live, userId: string): Promise<Record<AccountConsent, string>> {
  const [user, links, wechat] = await Promise.all([
    db.selectFrom('user').select(['email', 'avatar']).where('id', '=', userId).executeTakeFirstOrThrow(),
    db.selectFrom('user_oauth').select(['source', 'nickname']).where('userId', '=', userId).execute(),
    db.selectFrom('wechatbinding').select('openidMask').where('userId', '=', userId).executeTakeFirst(),
  ])
  const linked = links.map(one => one.nickname || one.source).join('、')
  return { email: user.email ?? '', avatar: user.avatar ?? '', wechat: wechat?.openidMask ?? '', outside: linked }
}

/** Ends a consent and erases what was given by it. @throws row.wrongState where nothing was given */
export async function endConsent(trx: LiveTrx, userId: string, kind: AccountConsent): Promise<void> {
  const given = await givenByConsent(trx, userId)
  if (given[kind] === '') throw refuse('row.wrongState')
  if (kind === 'outside') await trx.deleteFrom('user_oauth').where('userId', '=', userId).execute()
  else if (kind === 'wechat') await eraseBinding(trx, userId)
  else
    await trx
      .updateTable('user')
      .set(kind === 'email' ? { email: null } : { avatar: null })
      .where('id', '=', userId)
      .execute()
}
