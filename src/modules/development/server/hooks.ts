import { sql } from 'kysely'
import type { Code } from '#schemas/development/code'
import type { Datasource } from '#schemas/development/datasource'
import { wrongInput } from '../../../crud/input.ts'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { readAddress } from './source.ts'

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/** Rules of data sources: an address we can read, and a password that can be used again. */
export const datasourceHooks: Hooks<typeof Datasource> = {
  async beforeSubmit({ app, set }, { url, password }) {
    if (url !== undefined && !readAddress(url)) throw wrong('url', '连接地址应为 jdbc:postgresql://主机:端口/库名')
    if (password) set({ password: app.vault.seal(password) })
  },
}

/** The model of a table, for clients that know tables only; null when there is none, or several have that table. */
async function modelOfTable({ db }: HookContext, table: string): Promise<string | null> {
  const rows = await db
    .selectFrom('model')
    .select('id')
    .where(sql<boolean>`lower("modelTable") = ${table.toLowerCase()}`)
    .limit(2)
    .execute()
  return rows.length === 1 ? (rows[0]?.id ?? null) : null
}

/** Rules of code settings: without a model that of the table counts. */
export const codeHooks: Hooks<typeof Code> = {
  async beforeSubmit(ctx, given, before) {
    const { modelId, tableName } = { ...before, ...given }
    if (!modelId && tableName) ctx.set({ modelId: await modelOfTable(ctx, tableName) })
  },
}
