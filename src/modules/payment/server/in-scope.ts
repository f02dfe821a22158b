import type { FastifyInstance } from 'fastify'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Whose call it is, and the row it names. */
interface RowCall {
  readonly app: FastifyInstance
  readonly person: Person
  readonly id: string
}

type Table = 'exampay' | 'payrecord' | 'payorder' | 'payrefund' | 'exportpaymain' | 'reconciliationitem'

/** The id of the row that a call names, if the caller may meet it. @throws `missing` */
export async function idInScope(
  { app, person, id }: RowCall,
  table: Table,
  missing: 'payment.notFound' | 'row.notFound',
): Promise<string> {
  const found = await scoped(app, person, table).select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse(missing)
  return found.id
}
