import { scoped } from '../../../crud/scope.ts'
import { type FileReader, isFound } from '../../../platform/attachments/server/access.ts'
import { readsRecordFile } from '../../payment/server/file-access.ts'

/** Vouchers of transfers belong to a purchase of messages, all others to a fee record. */
export const readsVoucher: FileReader = async (app, person, row) => {
  if (!person.permissions.has('sendpay')) return readsRecordFile(app, person, row)
  const bought = scoped(app, person, 'sendpay').where('voucher', '=', row.id).select('id').executeTakeFirst()
  return (await isFound(bought)) || readsRecordFile(app, person, row)
}
