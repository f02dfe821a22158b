import { type Kysely, sql } from 'kysely'
import { AccountStatus, UserType } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Variables } from '../rules/expression.ts'
import type { FlowNode } from '../rules/graph.ts'

/** Whoever does tasks. */
interface Waiting {
  assignee: string | null
  groups: string[]
}

const handling = 'work_todo_act'

/** Staff of a tenant who can log in and have the right to do tasks. */
const isAble = (tenantId: string, userId: string) => sql<boolean>`
  EXISTS (SELECT 1 FROM "user" u WHERE u.id = ${userId} AND u."tenantId" = ${tenantId} AND u."isDeleted" = 0
    AND u."userType" = ${sql.lit(UserType.staff)} AND u."accountStatus" = ${sql.lit(AccountStatus.active)}
    AND EXISTS (SELECT 1 FROM role r JOIN role_menu g ON g."roleId" = r.id JOIN menu m ON m.id = g."menuId"
      WHERE r.id::text = ANY(string_to_array(u."roleId", ',')) AND r."isDeleted" = 0 AND m."isDeleted" = 0
        AND m.code = ${handling}))`

/**
 * Who a task waits for: a person, or the roles whose people may claim it.
 * @throws input.invalid when the person named is none who could do it
 */
export async function doerOf(
  trx: Kysely<Database>,
  tenantId: string,
  { name, id, doer }: FlowNode,
  variables: Variables,
): Promise<Waiting> {
  if (!doer) throw new Error(`The task «${id}» has nobody.`)
  if ('groups' in doer) return { assignee: null, groups: [...doer.groups] }
  const assignee = 'user' in doer ? doer.user : String(variables[doer.variable] ?? '')
  const { rows } = isId(assignee)
    ? await sql<{ is: boolean }>`SELECT ${isAble(tenantId, assignee)} AS is`.execute(trx)
    : { rows: [] }
  if (!rows[0]?.is) throw refuse('input.invalid', { 说明: `${name || id}的办理人不能办理流程` })
  return { assignee, groups: [] }
}
