import { LedgerType, SendStatus } from '#schemas/dictionaries'
import type { TellByText } from '../../../platform/accounts/server/extensions.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { fillTemplate, missingParams, segmentsOf, signed } from '../../../platform/channels/sms/sms-text.ts'
import { balanceOf, holdBalance, moveBalance } from './ledger.ts'
import { enterSend } from './queue.ts'
import { addReceivers, receiverOf } from './receivers.ts'
import { lockSend, openSend } from './rows.ts'

/**
 * Tells one person by a text message, charged to the balance. It goes out by the queue, and only if the
 * transaction is kept. Without a usable template, or without balance, nothing is sent and nothing else is hindered.
 * @param db a transaction of the person
 * @returns whether a message is on its way
 */
export const tellByText: TellByText = async (app, db, { person, now }, { code, title, phone, params }) => {
  const { tenantId } = person
  const [template] = await usableTemplates(db, code)
  if (!template || missingParams(template.templateContent, params).length > 0) return false
  const segments = segmentsOf(signed(template.signName, fillTemplate(template.templateContent, params)))
  await holdBalance(db, tenantId)
  if ((await balanceOf(db)) < segments) return false
  const opening = { title, sendStatus: SendStatus.sending, sendTime: now }
  const id = await openSend(db, template, now, opening)
  const receiver = receiverOf(app, tenantId, phone, null, params)
  await addReceivers(db, await lockSend(db, id), template, [receiver])
  const { segNum } = await lockSend(db, id)
  const used = { tenantId, changeType: LedgerType.use, refType: 'send', refId: id } as const
  await moveBalance(db, { ...used, num: -(segNum ?? 0) })
  await enterSend(app, db, { sendId: id, tenantId, runAt: now })
  return true
}
