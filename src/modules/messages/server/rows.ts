import type { FastifyInstance } from 'fastify'
import type { Insertable, Selectable } from 'kysely'
import { SendStatus, SendType } from '#schemas/dictionaries'
import type { Purpose } from '../../../crud/exam-scope.ts'
import { isId } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import type { SmsRow } from '../../../platform/auth/server/sms/template.ts'
import type { Database, Trx } from '../../../platform/database/database.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { newPayNumber } from '../../payment/rules/pay-order.ts'

/** A sending as the database gives it. */
export type SendRow = Selectable<Database['send']>

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
): Promise<SendRow> {
  if (!isId(id)) throw refuse('row.notFound')
  const row = await scoped(app, person, 'send', app.db, purpose).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** A sending, locked until the transaction ends. @throws row.notFound */
export async function lockSend(trx: Trx, id: string): Promise<SendRow> {
  const row = await trx
    .selectFrom('send')
    .selectAll()
    .where('id', '=', id)
    .where('isDeleted', '=', 0)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** Locks a sending whose receivers may change. @throws row.notFound, messages.alreadySent */
export async function lockDraft(trx: Trx, id: string): Promise<SendRow> {
  const row = await lockSend(trx, id)
  if (row.sendStatus !== SendStatus.draft) throw refuse('messages.alreadySent')
  return row
}

type Opening = Pick<Insertable<Database['send']>, 'title' | 'sendStatus' | 'sendTime' | 'examId'>

/** Opens a sending of text messages with a template; receivers are added afterwards. @returns its id */
export async function openSend(
  trx: Trx,
  template: SmsRow,
  by: { person: Person; now: Date },
  opening: Opening,
): Promise<string> {
  const { tenantId, userId } = by.person
  const { id } = await trx
    .insertInto('send')
    .values({
      tenantId,
      sendNo: newPayNumber('FS', by.now),
      sendType: SendType.sms,
      ...opening,
      templateId: template.id,
      content: template.templateContent,
      createUser: userId,
      createTime: by.now,
      updateTime: by.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What a text is made of: a template, or the words of a notice that needs none. */
export type TextSource = Pick<SmsRow, 'id' | 'signName' | 'templateContent'>

/** The template of a sending, or its own words. @throws row.notFound when the template was removed */
export async function templateOf(db: Trx | FastifyInstance['db'], send: SendRow): Promise<TextSource> {
  if (send.templateId === null) return { id: 'own', signName: '', templateContent: send.content ?? '' }
  const row = await db.selectFrom('sms').selectAll().where('id', '=', send.templateId).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row
}

/** Writes how many people and messages a sending has, from its receivers. */
export async function recountSend(trx: Trx, sendId: string, now: Date): Promise<void> {
  const { n, seg } = await trx
    .selectFrom('sendmessage')
    .where('sendId', '=', sendId)
    .where('isDeleted', '=', 0)
    .select(eb => [eb.fn.countAll<string>().as('n'), eb.fn.sum<string | null>('segments').as('seg')])
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('send')
    .set({ num: Number(n), segNum: Number(seg ?? 0), updateTime: now })
    .where('id', '=', sendId)
    .execute()
}
