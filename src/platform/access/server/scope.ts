import { DataScopeType } from '#schemas/dictionaries'
import type { ApiScope } from '#schemas/system/api-scope'
import type { DataScope } from '#schemas/system/data-scope'
import { ruleOf, ruleProblem } from '../../../crud/data-scope.ts'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { type ScopeTable, scopeKinds } from '../../database/system-tables.ts'
import { refuse } from '../../http/server/refusal.ts'

const wrong = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

/** What a role was granted goes with the scope. */
const dropGrants =
  (table: ScopeTable) =>
  async ({ db }: HookContext, rows: readonly { id: string }[]): Promise<void> => {
    const ids = rows.map(row => row.id)
    await db.deleteFrom('role_scope').where('category', '=', scopeKinds[table]).where('scopeId', 'in', ids).execute()
  }

/** Data scopes name rows of our own resources by their own columns, and values that are bound; never SQL. */
export const dataScopeHooks: Hooks<typeof DataScope> = {
  async beforeSubmit({ set }, given, before) {
    const row = { ...before, ...given }
    const problem = ruleProblem(ruleOf(row))
    if (problem) throw wrong(problem.field, problem.msg)
    if (row.scopeType !== DataScopeType.custom) set({ scopeValue: null })
  },
  beforeRemove: dropGrants('data_scope'),
}

/** API scopes name one call each, exactly: a part of an address would open or close more than it says. */
export const apiScopeHooks: Hooks<typeof ApiScope> = {
  async beforeSubmit({ app }, { scopePath: url }) {
    if (url === undefined) return
    const found = app.routeTable.filter(route => route.url === url)
    if (found.length === 0) throw wrong('scopePath', '没有这个接口地址')
    // What people need to be logged in at all stays open to all of them.
    if (!found.some(({ access }) => typeof access === 'object'))
      throw wrong('scopePath', '该接口没有按钮权限，不能限制')
  },
  beforeRemove: dropGrants('api_scope'),
}
