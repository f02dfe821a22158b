import { sheetColumn, text } from '#engine'
import { messageSheet } from '#resources/messages/message-sheet'
import { noRows, sheetRules } from '../../../crud/sheet-rules.ts'
import type { SheetOutcome } from '../../../crud/sheet-take.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { paramsOf } from '../../../platform/channels/sms/sms-text.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { idOf, valuesOf } from '../../exams/server/routes/examination.ts'
import { addReceivers, receiverOf } from './receivers.ts'
import { lockDraft, sendInScope, templateOf } from './rows.ts'

/** Longest value of a template, in characters. */
const longest = 50

/** Takes a filled-in list into a draft; a phone that comes twice is taken once and counted. Refuses messages.alreadySent. */
export const messageSheetRules = sheetRules(messageSheet, {
  business: 'message',
  repeats: 'taken',
  empty: noRows,
  // Without a draft the call names the template itself.
  more: async ({ app, db, person, request, fixed: { sendId } }) => {
    const own = liveAs(app, person, db)
    const templates = sendId ? [] : await usableTemplates(own)
    const template = sendId
      ? await templateOf(own, await sendInScope(app, person, sendId))
      : templates.find(one => one.id === idOf(valuesOf(request), 'templateId'))
    if (!template) throw refuse('row.notFound')
    const columns = paramsOf(template.templateContent).map(title =>
      sheetColumn(`value ${title}`, text(title, { maxLength: longest }), 20),
    )
    return { version: `message-${template.id}`, columns }
  },
  begin: ({ app, trx, person, fixed }) => lockDraft(liveAs(app, person, trx), fixed.sendId),
  save: async (rows, { app, trx, held: send, person }) => {
    const db = liveAs(app, person, trx)
    const { tenantId } = person
    const receivers = rows.map(({ values: { name, phone }, more }) => receiverOf(app, tenantId, phone, name, more))
    return addReceivers(db, send, await templateOf(db, send), receivers)
  },
})

/** What became of a list, as the call answers it. */
export const asReceivers = ({
  taskId,
  failed,
  errors,
  errFile,
  saved,
}: SheetOutcome<{ added: number; twice: number }>) => ({
  taskId,
  okNum: saved?.added ?? 0,
  errNum: failed,
  dupNum: saved?.twice ?? 0,
  rows: errors,
  errFile,
})
