import type { signup } from '#resources/sign-up/signup'
import { SendStatus } from '#schemas/dictionaries'
import type { HandlerOf } from '../../../crud/rules.ts'
import { usableTemplate } from '../../../platform/auth/server/sms/template.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { chosenCandidates, requireKnown } from './fill.ts'
import { addReceivers } from './receivers.ts'
import { lockDraft, openSend } from './rows.ts'

/**
 * Makes a draft of text messages to the candidates of some sign-ups. It is looked at, paid and sent as any other.
 * @returns the draft's id and how many are on it
 * @throws row.notFound, input.invalid for sign-ups of several exams, messages.noReceivers where none has a phone,
 * messages.parametersMissing
 */
export const textSignups: HandlerOf<typeof signup, 'text'> = async ({ app, db, person, ids, values, now }) => {
  const template = await usableTemplate(db, values.templateId)
  requireKnown(template)
  const { exams, receivers } = await chosenCandidates(app, person, ids)
  const [exam, ...others] = exams
  if (!exam) throw refuse('row.notFound')
  if (others.length > 0) throw refuse('input.invalid', { 说明: '请选择同一场考试的报名' })
  if (receivers.length === 0) throw refuse('messages.noReceivers')
  return db.transaction().execute(async trx => {
    const opening = { title: exam.examName.slice(0, 100), sendStatus: SendStatus.draft, examId: exam.id }
    const id = await openSend(trx, template, now, opening)
    const { added } = await addReceivers(trx, await lockDraft(trx, id), template, receivers)
    return { id, num: added }
  })
}
