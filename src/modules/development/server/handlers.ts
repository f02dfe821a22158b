import type { ActionContext, Handler } from '../../../crud/rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readTables } from './catalogue.ts'
import { inSource } from './source.ts'

/** Rows of the whole installation are its administrators' to write. */
export function requireAdministrator({ person }: Pick<ActionContext, 'person'>): void {
  if (!person.roles.includes('administrator')) throw refuse('request.forbidden')
}

/** Copies the settings of a module; the copy has `-copy` behind its name, as clients expect. @throws row.notFound */
export const copyCode: Handler = async ({ app, person, now, id: of }) => {
  requireAdministrator({ person })
  const row = await app.db
    .selectFrom('code')
    .selectAll()
    .where('id', '=', of)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const { id: _id, ...values } = row
  const by = { createUser: person.userId, createTime: now, updateUser: person.userId, updateTime: now }
  const codeName = `${row.codeName.slice(0, 59)}-copy`
  const made = await app.db
    .insertInto('code')
    .values({ ...values, ...by, codeName })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: made.id, message: codeName }
}

/** Tries a data source and tells how many tables it shows. @throws row.notFound, input.invalid */
export const testSource: Handler = async ({ app, id }) => {
  const tables = await inSource(app, id, readTables)
  return { message: '连接成功', count: tables.length }
}
