import type { FastifyInstance } from 'fastify'
import type { Insertable, Selectable } from 'kysely'
import { SendStatus, SendType } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import type { Purpose } from '../../../crud/scope-rule.ts'
import type { SmsRow } from '../../../platform/auth/server/sms/template.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { newPayNumber } from '../../payment/rules/pay-order.ts'

/** A sending as the database gives it. */
export type SendRow = Selectable<LiveDatabase['send']>

/**
 * A sending the caller may meet.
 * @param purpose `change` where it is about to be written
 * @throws row.notFound
 */
export async function sendInScope(
  app: FastifyInstance,
  person: Person,
  id: string,
  purpose: Purpose = 'meet',
): Promise<Selectable<Database['send']>> {
  if (!isId(id)) throw refuse('row.notFound')
  const row = await scoped(app, person, 'send', app, purpose).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** A sending, locked until the transaction ends. @throws row.notFound */
export async function lockSend(db: Live, id: string): Promise<SendRow> {
  const row = await db.selectFrom('send').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** Locks a sending whose receivers may change. @throws row.notFound, messages.alreadySent, exams.archived */
export async function lockDraft(db: Live, id: string): Promise<SendRow> {
  const row = await lockSend(db, id)
  if (row.sendStatus !== SendStatus.draft) throw refuse('messages.alreadySent')
  await refuseArchived(db, [row.examId])
  return row
}

type Opening = Pick<Insertable<LiveDatabase['send']>, 'title' | 'sendStatus' | 'sendTime' | 'planTime' | 'examId'> & {
  readonly sendType?: SendRow['sendType']
}

/** Words of a notice that needs no template, as what a text is made of. */
export const ownWords = (words: string): TextSource => ({ id: null, signName: '', templateContent: words })

/**
 * Opens a sending of text messages with a template, or of another kind that the opening names; receivers are added afterwards.
 * @returns its id
 */
export async function openSend(db: Live, template: TextSource, now: Date, opening: Opening): Promise<string> {
  const { id } = await db
    .insertInto('send')
    .values({
      sendNo: newPayNumber('FS', now),
      sendType: SendType.sms,
      ...opening,
      templateId: template.id,
      content: template.templateContent,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a text is made of: a template, or the words of a notice that needs none. */
export type TextSource = Pick<SmsRow, 'signName' | 'templateContent'> & { readonly id: string | null }

/** The template of a sending, or its own words. @throws row.notFound when the template was removed */
export async function templateOf(db: Live, send: SendRow): Promise<TextSource> {
  if (send.templateId === null) return ownWords(send.content ?? '')
  const row = await db
    .selectFrom(withRemoved('sms'))
    .select(['sms.id', 'sms.signName', 'sms.templateContent'])
    .where('sms.id', '=', send.templateId)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** Writes how many people and messages a sending has, from its receivers. */
export async function recountSend(db: Live, sendId: string): Promise<void> {
  const { n, seg } = await db
    .selectFrom('sendmessage')
    .where('sendId', '=', sendId)
    .select(eb => [eb.fn.countAll<string>().as('n'), eb.fn.sum<string | null>('segments').as('seg')])
    .executeTakeFirstOrThrow()
  await db
    .updateTable('send')
    .set({ num: Number(n), segNum: Number(seg ?? 0) })
    .where('id', '=', sendId)
    .execute()
}
