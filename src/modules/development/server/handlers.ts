import type { code } from '#resources/development/code'
import type { datasource } from '#resources/development/datasource'
import { Code } from '#schemas/development/code'
import type { ActionContext, HandlerOf } from '../../../crud/rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readTables } from './catalogue.ts'
import { inSource } from './source.ts'

/** Rows of the whole installation are its administrators' to write. */
export function requireAdministrator({ person }: Pick<ActionContext, 'person'>): void {
  if (!person.roles.includes('administrator')) throw refuse('request.forbidden')
}

const copied = Object.keys(Code.properties) as (keyof typeof Code.properties)[]

/** Copies the settings of a module; the copy has `-copy` behind its name, as clients expect. @throws row.notFound */
export const copyCode: HandlerOf<typeof code, 'copy'> = async ({ db, person, id: of }) => {
  requireAdministrator({ person })
  const row = await db
    .selectFrom('code')
    .select([...copied, 'createDept', 'status'])
    .where('id', '=', of)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const codeName = `${row.codeName.slice(0, 59)}-copy`
  const made = await db
    .insertInto('code')
    .values({ ...row, codeName })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: made.id, message: codeName }
}

/** Tries a data source and tells how many tables it shows. @throws row.notFound, input.invalid */
export const testSource: HandlerOf<typeof datasource, 'test'> = async ctx => {
  const tables = await inSource(ctx, ctx.id, readTables)
  return { message: '连接成功', count: tables.length }
}
