import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readIds } from '../../../../crud/input.ts'
import { wasRemovedBy } from '../../../../crud/removed.ts'
import { changeable } from '../../../../crud/scope.ts'
import { answerSheet } from '../../../../crud/sheet-take.ts'
import { receiveSheet, sendSheet } from '../../../../crud/sheet-work.ts'
import { usableTemplates } from '../../../../platform/auth/server/sms/template.ts'
import { type Live, removeRows, withRemoved } from '../../../../platform/database/live.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../../platform/http/server/repeated.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { examInScope, idOf, textOf, type Values } from '../../../exams/server/routes/examination.ts'
import {
  clearReceivers,
  fillFilter,
  fillFromExam,
  importReceivers,
  receiverTemplate,
  removeReceivers,
} from '../../contract.ts'
import { fillReceivers } from '../fill.ts'
import { asReceivers, messageSheetRules } from '../import.ts'
import { lockDraft, recountSend, type SendRow, sendInScope } from '../rows.ts'

const sendOf = (request: FastifyRequest, values: Values): Promise<SendRow> =>
  sendInScope(request.server, person(request), textOf(values, 'sendId'), 'change')

/** Who receives a sending: a list that is brought, candidates of an exam, and taking them off again. */
export function receiverRoutes(app: FastifyInstance): void {
  listRoutes(app)
  removalRoutes(app)
}

function listRoutes(app: FastifyInstance): void {
  serve(app, receiverTemplate, async ({ values, request, reply }) => {
    if (textOf(values, 'sendId') !== '') {
      const { id, sendNo } = await sendOf(request, values)
      return sendSheet(request, reply, messageSheetRules, { sendId: id }, { file: `接收名单-${sendNo}.xlsx` })
    }
    const templateId = idOf(values, 'templateId')
    const usable = await usableTemplates(liveAs(app, person(request)))
    const template = usable.find(one => one.id === templateId)
    if (!template) throw refuse('row.notFound')
    return sendSheet(request, reply, messageSheetRules, { sendId: '' }, { file: `短信名单-${template.smsCode}.xlsx` })
  })
  serve(app, importReceivers, async ({ values, request }) => {
    const { id } = await sendOf(request, values)
    const outcome = await receiveSheet(request, messageSheetRules, { sendId: id })
    return answerSheet(outcome, asReceivers(outcome))
  })
  serve(app, fillFromExam, async ({ values, request }) => {
    const send = await sendOf(request, values)
    const exam = await examInScope(request, textOf(values, 'examId') || (send.examId ?? '0'), 'send')
    const given = textOf(values, 'filter') || 'all'
    const filter = fillFilter.of.find(one => one === given)
    if (!filter) throw refuse('input.invalid', { 说明: '请选择接收范围' })
    return fillReceivers(app, person(request), send, exam.id, filter)
  })
}

function removalRoutes(app: FastifyInstance): void {
  serve(app, clearReceivers, async ({ values, request }) => {
    await takeOff(request, (await sendOf(request, values)).id, null)
  })
  serve(app, removeReceivers, async ({ values, request }) => {
    const ids = readIds(textOf(values, 'ids'))
    const rows = await changeable(app, person(request), 'sendmessage')
      .select('sendId')
      .distinct()
      .where('id', 'in', ids)
      .execute()
    if (rows.length === 0) {
      if (await wasRemovedBy(app, 'sendmessage', ids, person(request))) return
      throw refuse('row.notFound')
    }
    for (const { sendId } of rows) await takeOff(request, sendId, ids)
  })
}

/** Whether the last receivers of a sending were taken off by this person. */
async function tookOff(db: Live, sendId: string, by: { userId: string }): Promise<boolean> {
  const last = await db
    .selectFrom(withRemoved('sendmessage as m'))
    .select(['m.isDeleted', 'm.updateUser'])
    .where('m.sendId', '=', sendId)
    .orderBy('m.updateTime', 'desc')
    .executeTakeFirst()
  return last !== undefined && isOwnRepeat(last, last.isDeleted === 1, by)
}

/**
 * Takes receivers off a draft, those named or all.
 * @throws row.notFound, messages.alreadySent, messages.noReceivers when there is none
 */
async function takeOff(request: FastifyRequest, sendId: string, ids: readonly string[] | null): Promise<void> {
  await liveAs(request.server, person(request))
    .transaction()
    .execute(async trx => {
      await lockDraft(trx, sendId)
      const { numUpdatedRows } = await removeRows(trx, 'sendmessage')
        .where('sendId', '=', sendId)
        .$if(ids !== null, query => query.where('id', 'in', [...(ids ?? [])]))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) {
        if (await tookOff(trx, sendId, person(request))) return
        throw refuse('messages.noReceivers')
      }
      await recountSend(trx, sendId)
    })
}
