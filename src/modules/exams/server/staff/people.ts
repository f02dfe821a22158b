import { sql } from 'kysely'
import { AccountStatus, ExamRole, UserType } from '#schemas/dictionaries'
import type { Db } from '../../../../platform/access/server/caller.ts'
import { anywhere } from '../../../../platform/database/like.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'

/** Names the role that by custom does the work of an exam role; its people are offered first. */
const customary: Readonly<Record<number, string>> = {
  [ExamRole.manager]: 'exam_admin',
  [ExamRole.firstReviewer]: 'reviewer',
  [ExamRole.secondReviewer]: 'rechecker',
  [ExamRole.finance]: 'finance',
  [ExamRole.proctor]: 'proctor',
}

/** Choices of one call at most. */
const most = 50

const rolesOf = sql`SELECT r.* FROM role r WHERE r."isDeleted" = 0 AND r."tenantId" = u."tenantId"
  AND r.id::text = ANY(string_to_array(coalesce(u."roleId", ''), ','))`

const enters = sql<boolean>`EXISTS (SELECT 1 FROM (${rolesOf}) own WHERE own."isBack" = 1)`

/** Whoever may work on an exam: an account of the tenant in use, with a role that may enter the console. */
const staffOf = (db: Db) =>
  db
    .selectFrom('user as u')
    .where('u.userType', '<>', UserType.candidate)
    .where('u.accountStatus', '=', AccountStatus.active)
    .where(enters)

/** Those of some people who may be appointed, with their names. */
export async function appointable(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await staffOf(db)
    .select(['u.id', 'u.realName'])
    .where('u.id', 'in', [...userIds])
    .execute()
  return new Map(rows.map(row => [row.id, row.realName]))
}

/** Refuses when somebody may not be appointed. @throws input.invalid with one line for each of them */
export async function mustBeAppointable(db: Db, userIds: readonly string[]) {
  const names = await appointable(db, userIds)
  const wrong = userIds.filter(id => !names.has(id))
  if (wrong.length)
    throw refuse(
      'input.invalid',
      { 说明: '考试工作人员须为后台用户' },
      wrong.map(userId => ({ field: 'userId', userId, msg: '须为后台用户' })),
    )
  return names
}

/**
 * People to choose from for an exam role, those whose role it is first.
 * @param keyword part of a name or account
 */
export function peopleFor(db: Db, examRole: number, keyword: string) {
  const alias = customary[examRole] ?? ''
  return staffOf(db)
    .select([
      'u.id',
      'u.realName as name',
      'u.account',
      sql<string>`(SELECT string_agg(own."roleName", '、' ORDER BY own.sort) FROM (${rolesOf}) own)`.as('roleNames'),
    ])
    .$if(keyword !== '', query =>
      query.where(eb =>
        eb.or([eb('u.realName', 'like', anywhere(keyword)), eb('u.account', 'like', anywhere(keyword))]),
      ),
    )
    .orderBy(sql`EXISTS (SELECT 1 FROM (${rolesOf}) own WHERE own."roleAlias" = ${alias})`, 'desc')
    .orderBy('u.realName')
    .orderBy('u.id')
    .limit(most)
    .execute()
}
