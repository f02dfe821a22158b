import type { FastifyInstance } from 'fastify'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Whose call it is. */
interface Call {
  readonly app: FastifyInstance
  readonly person: Person
}

type Table = 'exampay' | 'payrecord' | 'payorder' | 'payrefund' | 'exportpaymain' | 'reconciliationitem'

/** What may be answered of rows that the caller does not meet. */
type Missing = 'payment.notFound' | 'row.notFound'

/** The id of the row that a call names, if the caller may meet it. @throws `missing` */
export async function idInScope(
  { app, person, id }: Call & { readonly id: string },
  table: Table,
  missing: Missing,
): Promise<string> {
  const found = await scoped(app, person, table).select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse(missing)
  return found.id
}

/** The ids of the rows that a call names, if the caller may meet them all. @throws `missing` */
export async function idsInScope(
  { app, person, ids }: Call & { readonly ids: readonly string[] },
  table: Table,
  missing: Missing,
): Promise<readonly string[]> {
  const found = await scoped(app, person, table).select('id').where('id', 'in', ids).execute()
  if (found.length < ids.length) throw refuse(missing)
  return ids
}
