import { permissionOf } from '#engine'
import { sms } from '#resources/resource/sms'
import type { Derive } from '../../../../crud/rules.ts'
import { receiptPath } from '../../../../platform/channels/sms/receipt-routes.ts'
import { publicUrl } from '../../../../platform/http/server/public-url.ts'

/** The address at which a provider tells of the messages of an account: for whoever may change the account, and in no file. */
export const deriveReceiptUrl: Derive<typeof sms> = async ({ app, person, request }, rows) => {
  if (request === null || !person.permissions.has(permissionOf(sms, 'edit'))) return rows.map(() => undefined)
  return rows.map(({ id }) => ({ receiptUrl: `${publicUrl(app)}/api${receiptPath(app, id)}` }))
}
