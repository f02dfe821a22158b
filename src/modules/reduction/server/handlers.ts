import type { Handler } from '../../../crud/rules.ts'
import { changeable } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { removeNames } from './names.ts'

/** Takes people off the name list, from the list's own screen. @throws reduction.notListed, reduction.alreadyChosen */
export const removeFromList: Handler = async ({ app, db, person, now, request, ids }) => {
  const rows = await changeable(app, person, 'postreductionname').select('signupId').where('id', 'in', ids).execute()
  if (rows.length < ids.length) throw refuse('reduction.notListed')
  const caller = { db, vault: app.vault, person, now, ip: request.ip, meter: app.meter }
  await removeNames(
    caller,
    rows.map(row => row.signupId),
  )
}
