import type { noticeread } from '#resources/notices/noticeread'
import { NoticeStatus, RemindWhom, SendStatus } from '#schemas/dictionaries'
import { reminderValues } from '#schemas/notices/reminder'
import type { ActionContext, HandlerOf } from '../../../crud/rules.ts'
import { usableTemplate } from '../../../platform/auth/server/sms/template.ts'
import { paramsOf } from '../../../platform/channels/sms/sms-text.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { followed, type ReaderQuery, readersOf } from '../../notices/server/readers.ts'
import { addReceivers, type Receiver } from './receivers.ts'
import { lockDraft, openSend } from './rows.ts'

/** Characters of a value: longer ones would cost a message each. */
const longest = 50
/** Who is reminded, by the choice made: whoever has not read it, or not confirmed it. */
const states = { [RemindWhom.unread]: 'unread', [RemindWhom.unconfirmed]: 'unsure' } as const

type Notice = Awaited<ReturnType<typeof followed>>

async function receiversOf(
  { app, db, person }: Pick<ActionContext, 'app' | 'db' | 'person'>,
  notice: Notice,
  query: ReaderQuery,
): Promise<Receiver[]> {
  const exam = await examName(db, notice.examId)
  const rows = await readersOf(app, person, query)
    .select(['u.id', 'u.realName', 'u.phone', 'u.phoneHash', 'u.phoneMask'])
    .orderBy('u.id')
    .execute()
  return rows.map(({ id, realName, phone, phoneHash, phoneMask }) => ({
    name: realName,
    userId: id,
    phone,
    phoneHash: phoneHash ?? '',
    phoneMask: phoneMask ?? '',
    params: { name: realName, title: notice.title.slice(0, longest), examName: exam },
  }))
}

async function examName(db: Live, id: string | null): Promise<string> {
  if (!id) return ''
  const exam = await db
    .selectFrom(withRemoved('examination'))
    .select('examination.examName')
    .where('examination.id', '=', id)
    .executeTakeFirst()
  return exam?.examName.slice(0, longest) ?? ''
}

/**
 * Makes a draft of text messages to everybody who has not read a notice, or not confirmed it. It is looked at, paid and
 * sent as any other.
 * @returns the draft's id and how many are on it
 */
export const remindReaders: HandlerOf<typeof noticeread, 'remind'> = async ctx => {
  const { app, db, person, now, values } = ctx
  const notice = await followed(app, person, values.noticeId, 'change')
  if (notice.noticeStatus !== NoticeStatus.released) throw refuse('row.wrongState')
  const template = await usableTemplate(db, values.templateId)
  const strange = paramsOf(template.templateContent).filter(name => !reminderValues.includes(name))
  if (strange.length > 0) throw refuse('messages.parametersMissing', { 参数: strange.join('、') })
  const state = states[values.whom]
  const receivers = await receiversOf(ctx, notice, { noticeId: notice.id, state })
  if (receivers.length === 0) throw refuse('messages.noReceivers')
  return db.transaction().execute(async trx => {
    const opening = {
      title: `阅读提醒：${notice.title}`.slice(0, 100),
      sendStatus: SendStatus.draft,
      examId: notice.examId,
    }
    const id = await openSend(trx, template, now, opening)
    const { added } = await addReceivers(trx, await lockDraft(trx, id), template, receivers)
    return { id, num: added }
  })
}
