import { sql } from 'kysely'
import { AuditOutcome } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'

/** Somebody of the office has looked at a number or a paper of a person in full. */
export interface Look {
  readonly time: Date
  /** Names of the roles, joined; empty for an account that is gone. */
  readonly role: string
  readonly dept: string
  readonly name: string
  readonly reason: string
  /** What was looked at: the name of a field, or `attach` for a paper. */
  readonly field: string
}

/** What the log says of a look beyond its columns. */
interface Detail {
  readonly params?: { readonly reason?: string; readonly field?: string }
}

/**
 * Who has looked at the numbers and papers of a person, the latest first. Roles and offices are those of now; names of staff are told
 * where the tenant wants it (`privacy.lookerNames`).
 */
export async function looksAt(
  db: Live,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: readonly Look[] }> {
  const signups = db.selectFrom('signup').select(sql<string>`id::text`.as('id')).where('userId', '=', userId)
  const files = db.selectFrom('attach').select(sql<string>`id::text`.as('id')).where('createUser', '=', userId)
  const found = db
    .selectFrom('auditlog as log')
    .where('log.event', '=', 'reveal')
    .where('log.outcome', '=', AuditOutcome.success)
    .where(eb =>
      eb.or([
        eb.and([eb('log.targetType', '=', 'signup'), eb('log.targetId', 'in', signups)]),
        eb.and([eb('log.targetType', '=', 'attach'), eb('log.targetId', 'in', files)]),
        eb.and([eb('log.targetType', '=', 'user'), eb('log.targetId', '=', userId)]),
      ]),
    )
    .where(eb => eb.or([eb('log.userId', 'is', null), eb('log.userId', '<>', userId)]))
  const [{ total }, rows, named] = await Promise.all([
    found.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
    found
      .select(['log.time', 'log.userId', 'log.targetType', 'log.detail'])
      .orderBy('log.time', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
    readParam(db, 'privacy.lookerNames'),
  ])
  const people = await lookers(db, [...new Set(rows.flatMap(row => row.userId ?? []))])
  return {
    total: Number(total),
    rows: rows.map(({ time, userId: who, targetType, detail }) => {
      const { params = {} } = (detail ?? {}) as Detail
      const person = people.get(who ?? '')
      return {
        time,
        role: person?.role ?? '',
        dept: person?.dept ?? '',
        name: named === 'true' ? (person?.name ?? '') : '',
        reason: params.reason ?? '',
        field: targetType === 'attach' ? 'attach' : (params.field ?? ''),
      }
    }),
  }
}

const listed = (ids: string | null): readonly string[] => (ids ?? '').split(',').filter(Boolean)

async function lookers(db: Live, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { role: string; dept: string; name: string }>()
  const users = await db
    .selectFrom(withRemoved('user'))
    .select(['id', 'realName', 'roleId', 'deptId'])
    .where('id', 'in', [...ids])
    .execute()
  const roleIds = users.flatMap(one => listed(one.roleId))
  const deptIds = users.flatMap(one => listed(one.deptId))
  const [roles, depts] = await Promise.all([
    roleIds.length === 0
      ? []
      : db.selectFrom(withRemoved('role')).select(['id', 'roleName']).where('id', 'in', roleIds).execute(),
    deptIds.length === 0
      ? []
      : db.selectFrom(withRemoved('dept')).select(['id', 'deptName']).where('id', 'in', deptIds).execute(),
  ])
  const nameOf = new Map<string, string>([
    ...roles.map(one => [`role ${one.id}`, one.roleName] as const),
    ...depts.map(one => [`dept ${one.id}`, one.deptName] as const),
  ])
  const joined = (kind: string, given: string | null): string =>
    listed(given)
      .flatMap(id => nameOf.get(`${kind} ${id}`) ?? [])
      .join('、')
  return new Map(
    users.map(one => [
      one.id,
      { role: joined('role', one.roleId), dept: joined('dept', one.deptId), name: one.realName },
    ]),
  )
}
