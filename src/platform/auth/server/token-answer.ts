import { type Selectable, sql } from 'kysely'
import { commaList } from '#engine'
import type { Database, Reader } from '../../database/database.ts'
import type { SessionBody, TokenBody } from '../../http/contract.ts'
import type { Tokens } from './session.ts'
import type { UserRow } from './user-row.ts'

/** A role as sessions tell it. */
type SessionRole = Pick<Selectable<Database['role']>, 'id' | 'roleAlias' | 'roleName' | 'isBack'>

/** Asks for roles in force, in the order of the console; a part of a statement or a statement. */
export const rolesAmong = (db: Reader, ids: readonly string[]) =>
  db
    .selectFrom('role')
    // As text: a number of JSON does not hold an id.
    .select([sql<string>`role.id::text`.as('id'), 'roleAlias', 'roleName', 'isBack'])
    .where('role.id', '=', sql<string>`ANY(${ids}::bigint[])`)
    .where('isDeleted', '=', 0)
    .orderBy('sort')
    .orderBy('role.id')

/** Roles of a person in force, in the order of the console. */
export const rolesOf = async (db: Reader, ids: readonly string[]): Promise<SessionRole[]> =>
  ids.length === 0 ? [] : rolesAmong(db, ids).execute()

/** With which of an account's roles and departments a session goes on; null means all. */
interface Chosen {
  roleId: string | null
  deptId: string | null
}

/** The ids of the roles that a session acts with. */
export const chosenRoles = (user: UserRow, { roleId }: Chosen): string[] => {
  const own = commaList(user.roleId)
  return roleId ? own.filter(id => commaList(roleId).includes(id)) : own
}

/** What a session says about its person: the flat body of the token calls without the tokens. */
export const sessionBody = async (db: Reader, user: UserRow, chosen: Chosen, now: Date): Promise<SessionBody> =>
  sessionBodyWith(await rolesOf(db, chosenRoles(user, chosen)), user, chosen, now)

/** The same where the roles are known. */
export function sessionBodyWith(roles: readonly SessionRole[], user: UserRow, chosen: Chosen, now: Date): SessionBody {
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
