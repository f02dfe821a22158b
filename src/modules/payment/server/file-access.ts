import { scoped } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'

/** Proofs and invoices belong to a fee record; whoever decides on it in a process reads what was handed in for that. */
export const readsRecordFile: FileReader = async (app, person, { id, ownerId }) =>
  (await isFound(
    scoped(app, person, 'payrecord')
      .select('payrecord.id')
      .where(eb => eb.or([eb('exemptFile', '=', id), eb('invoiceFile', '=', id)]))
      .executeTakeFirst(),
  )) ||
  (ownerId !== null && (await app.extensions.approvals.sees(app, person, ownerId)))

/** The frozen ledger of an exam belongs to its batch, the channel's bill of a day to that day's comparison. */
export const readsBill: FileReader = async (app, person, { id }) => {
  const batch = scoped(app, person, 'exportpaymain').where('file', '=', id).select('id').executeTakeFirst()
  const day = scoped(app, person, 'reconciliation').where('billFile', '=', id).select('id').executeTakeFirst()
  return (
    (person.permissions.has('exportpaymain') && (await isFound(batch))) ||
    (person.permissions.has('reconciliation') && (await isFound(day)))
  )
}
