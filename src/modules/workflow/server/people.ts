import { sql } from 'kysely'
import { AccountStatus, UserType } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Variables } from '../rules/expression.ts'
import type { FlowNode } from '../rules/graph.ts'

/** Whoever does tasks. */
interface Waiting {
  assignee: string | null
  groups: string[]
}

const handling = 'work_todo_act'

/** Whether somebody is staff who can log in and has the right to do tasks. */
async function isAble(db: Live, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('user as u')
    .select('u.id')
    .where('u.id', '=', userId)
    .where('u.userType', '=', UserType.staff)
    .where('u.accountStatus', '=', AccountStatus.active)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('role as r')
          .innerJoin('role_menu as g', 'g.roleId', 'r.id')
          .innerJoin('menu as m', 'm.id', 'g.menuId')
          .select('r.id')
          .where(sql<boolean>`r.id::text = ANY(string_to_array(u."roleId", ','))`)
          .where('m.code', '=', handling),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Who a task waits for: a person, or the roles whose people may claim it.
 * @throws input.invalid when the person named is none who could do it
 */
export async function doerOf(db: Live, { name, id, doer }: FlowNode, variables: Variables): Promise<Waiting> {
  if (!doer) throw new Error(`The task «${id}» has nobody.`)
  if ('groups' in doer) return { assignee: null, groups: [...doer.groups] }
  const assignee = 'user' in doer ? doer.user : String(variables[doer.variable] ?? '')
  if (!isId(assignee) || !(await isAble(db, assignee)))
    throw refuse('input.invalid', { 说明: `${name || id}的办理人不能办理流程` })
  return { assignee, groups: [] }
}
