import { commaList } from '#engine'
import { refuseSaying } from '../../http/server/refusal.ts'
import type { UserRow } from './user-row.ts'

/** The roles and departments a session acts with; null means everything the account has. */
export interface Choice {
  roleId: string | null
  deptId: string | null
}

function part(own: readonly string[], wanted: string | undefined, before: string | null, what: string): string | null {
  const ids = commaList(wanted)
  if (ids.length === 0) return before
  if (!ids.every(id => own.includes(id))) throw refuseSaying('request.forbidden', `不能切换到该${what}`)
  return own.every(id => ids.includes(id)) ? null : ids.join()
}

/**
 * Switches role and department: what is wanted must be among the person's own, what is not named stays.
 * @throws 403 for one that is not
 */
export const choose = (
  user: Pick<UserRow, 'roleId' | 'deptId'>,
  wanted: { roleId?: string | undefined; deptId?: string | undefined },
  before: Choice,
): Choice => ({
  roleId: part(commaList(user.roleId), wanted.roleId, before.roleId, '角色'),
  deptId: part(commaList(user.deptId), wanted.deptId, before.deptId, '机构'),
})
