import { sql } from 'kysely'
import type { Row } from '#engine'
import { TipScope } from '#schemas/dictionaries'
import type { Examinetip } from '#schemas/sign-up/examinetip'
import type { Fragment } from '../../../crud/fragment.ts'
import type { Hooks } from '../../../crud/rules.ts'
import { seesAllRows } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Phrases a person sees, as a condition on the rows of a list: the person's own and shared ones, for administrators all. */
export const seenTips = (person: Person): Fragment | undefined =>
  seesAllRows(person) ? undefined : sql`(t."userId" = ${person.userId} OR t.scope = ${sql.lit(TipScope.everyone)})`

/** A phrase belongs to whoever wrote it; shared ones are also an administrator's. To others it is as good as not there. */
function checkOwner(person: Person, row: Row<typeof Examinetip>): void {
  const mine = row.userId === person.userId
  if (!mine && !(row.scope === TipScope.everyone && seesAllRows(person)))
    throw refuse(row.scope === TipScope.everyone ? 'row.builtIn' : 'row.notFound')
}

/** Phrases are changed and removed by their owners only. */
export const tipHooks: Hooks<typeof Examinetip> = {
  async beforeSubmit({ person, set }, _given, before) {
    if (before) checkOwner(person, before)
    else set({ userId: person.userId })
  },
  async beforeRemove({ person }, rows) {
    for (const row of rows) checkOwner(person, row)
  },
}
