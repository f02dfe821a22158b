import type { Reader } from '../../database/database.ts'
import type { SessionBody, TokenBody } from '../../http/contract.ts'
import { idList } from '../rules/session.ts'
import type { Tokens } from './session.ts'
import type { UserRow } from './user-row.ts'

/** Roles of a person in force, in the order of the console. */
export async function rolesOf(db: Reader, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('role')
    .select(['id', 'roleAlias', 'roleName', 'isBack'])
    .where('id', 'in', ids)
    .where('isDeleted', '=', 0)
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

/** What a session says about its person: the flat body of the token calls without the tokens. */
export async function sessionBody(
  db: Reader,
  user: UserRow,
  chosen: { roleId: string | null; deptId: string | null },
  now: Date,
): Promise<SessionBody> {
  const own = idList(user.roleId)
  const wanted = chosen.roleId ? own.filter(id => idList(chosen.roleId).includes(id)) : own
  const roles = await rolesOf(db, wanted)
  return {
    tenant_id: user.tenantId,
    user_id: user.id,
    dept_id: chosen.deptId ?? user.deptId ?? '',
    post_id: user.postId ?? '',
    role_id: roles.map(role => role.id).join(),
    oauth_id: user.oauth_id ?? '',
    account: user.account,
    user_name: user.account,
    nick_name: user.name ?? '',
    real_name: user.realName ?? '',
    role_name: roles.map(role => role.roleAlias).join(),
    avatar: user.avatar ?? '',
    userType: user.userType,
    userCode: user.code ?? '',
    license: 'juxian',
    detail: {
      type: 'web',
      mustChangePwd: user.mustChangePwd ?? 0,
      serverTime: now.getTime(),
      roleNames: roles.map(role => role.roleName),
    },
  }
}

/** The same answer, saying whether the person must set up a second factor before anything else. */
export const owing = (body: SessionBody, mustEnrol: boolean): SessionBody => ({
  ...body,
  detail: { ...body.detail, mustEnrol: mustEnrol ? 1 : 0 },
})

/** The answer of a token call, without an envelope, as Blade's clients want it. */
export const tokenAnswer = ({ tokens, ...session }: SessionBody & { tokens: Tokens }): TokenBody => ({
  ...session,
  access_token: tokens.access,
  refresh_token: tokens.refresh,
  token_type: 'bearer',
  expires_in: tokens.expiresIn,
})
