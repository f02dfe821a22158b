import { type ExpressionBuilder, sql } from 'kysely'
import { commaList } from '#engine'
import { AccountStatus, UserType } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import { evaluate } from '../rules/expression.ts'
import type { Doers, GroupRef, PersonRef } from '../rules/flow-graph.ts'
import { FlowProblem } from '../rules/problem.ts'
import type { TaskDoers } from '../rules/run/env.ts'
import { isList, textOf, type Value, type Variables } from '../rules/value.ts'

const handling = 'work_todo_act'

/** Most departments between one and the top. */
const highest = 20

type Users = ExpressionBuilder<LiveDatabase & { u: LiveDatabase['user'] }, 'u'>

/** Members of a list of ids in a column of a user. */
const idsIn = (column: 'roleId' | 'deptId' | 'postId') =>
  sql`string_to_array(coalesce(${sql.ref(`u.${column}`)}, ''), ',')`

/** Staff who can log in and have the right to do tasks. */
const able = (db: Live) =>
  db
    .selectFrom('user as u')
    .select('u.id')
    .where('u.userType', '=', UserType.staff)
    .where('u.accountStatus', '=', AccountStatus.active)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('role as r')
          .innerJoin('role_menu as g', 'g.roleId', 'r.id')
          .innerJoin('menu as m', 'm.id', 'g.menuId')
          .select('r.id')
          .where(sql<boolean>`r.id::text = ANY(${idsIn('roleId')})`)
          .where('m.code', '=', handling),
      ),
    )

/** Those of some users who are able to do tasks, in the order given. */
export async function ableOf(db: Live, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)].filter(isId)
  if (wanted.length === 0) return []
  const rows = await able(db).where('u.id', 'in', wanted).execute()
  return wanted.filter(id => rows.some(row => row.id === id))
}

/** What a list, a text with commas or a single value names. */
export function namesIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(namesIn)
  return commaList(textOf(value))
}

/** Users by ids or names of accounts; those who are not there are left out. @returns ids, each once */
export async function usersNamed(db: Live, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where(eb => eb.or([eb('id', 'in', ['0', ...names.filter(isId)]), eb('account', 'in', ['', ...names])]))
    .execute()
  return rows.map(({ id }) => id)
}

/** Finds the people of a process in the database of its tenant. */
class People {
  constructor(
    private readonly db: Live,
    private readonly starter: string,
    private readonly variables: Variables,
  ) {}

  /** User ids; names of accounts that are not there are left out. */
  private async usersOf(names: readonly string[]): Promise<string[]> {
    const accounts = names.filter(one => !isId(one))
    if (accounts.length === 0) return [...names]
    const rows = await this.db.selectFrom('user').select(['id', 'account']).where('account', 'in', accounts).execute()
    return names.flatMap(one => (isId(one) ? one : (rows.find(({ account }) => account === one)?.id ?? [])))
  }

  /** The head of somebody's department, or of one above it where it has none or that is the person. */
  private async leaderOf(userId: string): Promise<string[]> {
    const user = await this.db.selectFrom('user').select('deptId').where('id', '=', userId).executeTakeFirst()
    let [id] = commaList(user?.deptId)
    let last: string[] = []
    for (let height = 0; id && isId(id) && height < highest; height++) {
      const dept = await this.db
        .selectFrom('dept')
        .select(['leaderId', 'parentId'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (dept?.leaderId) last = [String(dept.leaderId)]
      if (dept?.leaderId && String(dept.leaderId) !== userId) return last
      id = dept?.parentId ? String(dept.parentId) : undefined
    }
    return last
  }

  async people(ref: PersonRef): Promise<string[]> {
    if ('user' in ref) return [ref.user]
    if ('account' in ref) return this.usersOf([ref.account])
    if ('initiator' in ref) return [this.starter]
    if ('value' in ref) return this.usersOf(namesIn(evaluate(ref.value, this.variables)))
    if ('initiator' in ref.leaderOf) return this.leaderOf(this.starter)
    const [of] = await this.usersOf(namesIn(evaluate(ref.leaderOf, this.variables)))
    return of ? this.leaderOf(of) : []
  }

  /** Groups as tasks keep them: an alias, `dept:id`, `post:id`. */
  async groups(ref: GroupRef): Promise<string[]> {
    if ('role' in ref) return [ref.role]
    if ('dept' in ref) return [`dept:${ref.dept}`]
    if ('post' in ref) return this.postsOf([ref.post])
    const found: string[] = []
    for (const name of namesIn(evaluate(ref.value, this.variables))) {
      const [, kind, rest = name] = /^(role|dept|post):(.+)$/.exec(name) ?? []
      if (kind === 'post') found.push(...(await this.postsOf([rest])))
      else found.push(kind === 'dept' ? `dept:${rest}` : rest)
    }
    return found
  }

  private async postsOf(codes: readonly string[]): Promise<string[]> {
    const rows = await this.db.selectFrom('post').select('id').where('postCode', 'in', codes).execute()
    return rows.map(({ id }) => `post:${id}`)
  }
}

/** Whether a user is in one of some groups. */
function isIn(eb: Users, groups: readonly string[]) {
  const ids = (kind: string) => groups.flatMap(one => (one.startsWith(`${kind}:`) ? one.slice(kind.length + 1) : []))
  const roles = groups.filter(one => !one.includes(':'))
  return eb.or([
    sql<boolean>`${idsIn('deptId')} && ${ids('dept')}::text[]`,
    sql<boolean>`${idsIn('postId')} && ${ids('post')}::text[]`,
    eb.exists(
      eb
        .selectFrom('role as o')
        .select('o.id')
        .where(sql<boolean>`o.id::text = ANY(${idsIn('roleId')})`)
        .where('o.roleAlias', 'in', roles.length > 0 ? roles : ['']),
    ),
  ])
}

/** Users who are able to do a task that waits for several people. */
export async function candidatesOf(db: Live, users: readonly string[], groups: readonly string[]): Promise<string[]> {
  const own = users.filter(isId)
  const rows = await able(db)
    .where(eb => eb.or([...(own.length > 0 ? [eb('u.id', 'in', own)] : []), isIn(eb as unknown as Users, groups)]))
    .limit(500)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Who a task is for: one person, or those who may claim it.
 * @param who began the process
 * @param name of the step
 * @throws FlowProblem when nobody is named or none of them could do it
 */
export async function doersOf(
  db: Live,
  doers: Doers,
  { starter, name, variables }: { starter: string; name: string; variables: Variables },
): Promise<TaskDoers> {
  const people = new People(db, starter, variables)
  const unable = () => new FlowProblem(`${name}的办理人不能办理流程`)
  const [owner = null] = doers.owner ? await people.people(doers.owner) : []
  const nobody = { owner: owner && isId(owner) ? owner : null, candidateUsers: [], candidateGroups: [] }
  if (doers.assignee) {
    const found = await people.people(doers.assignee)
    if (found.length > 1) throw new FlowProblem(`${name}的办理人只能是一人`)
    const [assignee] = await ableOf(db, found)
    if (!assignee) throw unable()
    return { ...nobody, assignee }
  }
  const named = (await Promise.all(doers.candidateUsers.map(one => people.people(one)))).flat()
  const candidateUsers = await ableOf(db, named)
  const candidateGroups = [...new Set((await Promise.all(doers.candidateGroups.map(one => people.groups(one)))).flat())]
  if ((await candidatesOf(db, candidateUsers, candidateGroups)).length === 0) throw unable()
  return { ...nobody, assignee: null, candidateUsers, candidateGroups }
}
