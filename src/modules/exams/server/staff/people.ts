import { expressionBuilder, sql } from 'kysely'
import { AccountStatus, ExamRole, UserType } from '#schemas/dictionaries'
import type { Db } from '../../../../platform/access/server/caller.ts'
import { anywhere } from '../../../../platform/database/like.ts'
import type { LiveDatabase } from '../../../../platform/database/live.ts'
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

/** The roles of the account `u`. */
const rolesOf = () =>
  expressionBuilder<LiveDatabase & { u: LiveDatabase['user'] }, 'u'>()
    .selectFrom('role as r')
    .where(sql<boolean>`r.id::text = ANY(string_to_array(coalesce(u."roleId", ''), ','))`)

/** Whoever may work on an exam: an account of the tenant in use, with a role that may enter the console. */
const staffOf = (db: Db) =>
  db
    .selectFrom('user as u')
    .where('u.userType', '<>', UserType.candidate)
    .where('u.accountStatus', '=', AccountStatus.active)
    .where(eb => eb.exists(rolesOf().select('r.id').where('r.isBack', '=', 1)))

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
      rolesOf().select(sql<string>`string_agg(r."roleName", '、' ORDER BY r.sort)`.as('names')).as('roleNames'),
    ])
    .$if(keyword !== '', query =>
      query.where(eb =>
        eb.or([eb('u.realName', 'like', anywhere(keyword)), eb('u.account', 'like', anywhere(keyword))]),
      ),
    )
    .orderBy(eb => eb.exists(rolesOf().select('r.id').where('r.roleAlias', '=', alias)), 'desc')
    .orderBy('u.realName')
    .orderBy('u.id')
    .limit(most)
    .execute()
}
