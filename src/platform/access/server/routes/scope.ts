import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { commaList, type Resource, tableOf } from '#engine'
import { dataScope, ruleOf, ruleProblem } from '../../../../crud/data-scope.ts'
import { all, ident, statement } from '../../../../crud/fragment.ts'
import { isId } from '../../../../crud/input.ts'
import { resourceOf } from '../../../../crud/lookup.ts'
import { scoped, scopeOf } from '../../../../crud/scope.ts'
import { rolesOf } from '../../../auth/server/token-answer.ts'
import type { UserRow } from '../../../auth/server/user-row.ts'
import { type Person, person } from '../../../http/server/access.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { tryDataScope } from '../../contract.ts'

/** Somebody as the rules of rows see that person, without the session. */
async function subjectOf(app: FastifyInstance, user: UserRow): Promise<Person> {
  const roles = await rolesOf(app.db, commaList(user.roleId))
  const { id: userId, tenantId, account, userType } = user
  return {
    userId,
    tenantId,
    account,
    userType,
    name: user.realName ?? account,
    userCode: user.code ?? '',
    roleIds: roles.map(role => role.id),
    roles: roles.map(role => role.roleAlias),
    deptIds: commaList(user.deptId),
    isStaff: roles.some(role => role.isBack === 1),
    permissions: new Set<string>(),
    sessionId: '',
    clientId: '',
  }
}

/** How many rows of a resource somebody would meet. */
async function countOf(app: FastifyInstance, resource: Resource, subject: Person): Promise<number> {
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const bare = { ...subject, dataRules: [] }
  const where = all([scopeOf(app, bare, resource, app.now()), ...dataScope(subject, resource, 't', app.now())])
  const { rows } = await app.pool.query<{ n: number }>(
    statement(sql`SELECT count(*)::int AS n FROM ${table} t WHERE ${where}`),
  )
  return rows[0]?.n ?? 0
}

/** Trying a data scope before it is granted, service `blade-system/data-scope`. */
export default async function scopeRoutes(app: FastifyInstance): Promise<void> {
  serve(app, tryDataScope, async ({ values, request }) => {
    const rule = ruleOf(values)
    const problem = ruleProblem(rule)
    if (problem) throw refuse('input.invalid', { 说明: problem.msg }, [problem])
    const userId = String(values.userId ?? '')
    const user = isId(userId)
      ? await scoped(app, person(request), 'user').selectAll().where('id', '=', userId).executeTakeFirst()
      : undefined
    if (!user) throw refuse('row.notFound')
    const subject = await subjectOf(app, user as UserRow)
    const resource = resourceOf(rule.resource)
    const total = await countOf(app, resource, subject)
    return { count: await countOf(app, resource, { ...subject, dataRules: [rule] }), total }
  })
}
