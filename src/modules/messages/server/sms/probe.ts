import { randomBytes } from 'node:crypto'
import { mask } from '#engine'
import type { sms } from '#resources/resource/sms'
import type { ActionContext, HandlerOf } from '../../../../crud/rules.ts'
import { scoped } from '../../../../crud/scope.ts'
import { limitSms } from '../../../../platform/auth/server/sms/code.ts'
import { SmsError } from '../../../../platform/channels/sms/channel.ts'
import { paramsOf } from '../../../../platform/channels/sms/sms-text.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'

/** The phone of whoever asks: a test goes to nobody else. @throws input.invalid without one */
async function ownPhone({ app, db, person }: Pick<ActionContext, 'app' | 'db' | 'person'>): Promise<string> {
  const user = await db.selectFrom('user').select('phone').where('id', '=', person.userId).executeTakeFirst()
  const phone = user?.phone ? app.vault.open(user.phone) : ''
  if (!phone) throw refuse('input.invalid', { 说明: '您的账号没有手机号码' })
  return phone
}

/**
 * Sends one text with a template to the caller's own phone, the way every other text goes, whether or not the template
 * is in use.
 * @returns what the channel said: its number, or why it did not go out
 * @throws row.notFound, input.invalid without a phone of one's own, auth.smsCodeTooSoon and input.tooOften as for codes
 */
export const probeSms: HandlerOf<typeof sms, 'probe'> = async ctx => {
  const { app, person, values, request } = ctx
  const row = await scoped(app, person, 'sms').selectAll().where('id', '=', ctx.id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const phone = await ownPhone(ctx)
  await limitSms(app, { tenantId: person.tenantId, phone, ip: request.ip })
  const { id: smsId, smsCode, templateContent } = row
  const params = Object.fromEntries(paramsOf(templateContent).map(name => [name, values.text]))
  const id = `probe-${randomBytes(12).toString('hex')}`
  try {
    const { bizNo } = await app.sms.send({ id, tenantId: person.tenantId, smsCode, smsId, phone, params })
    return { msg: `渠道已受理，发往 ${mask.phone(phone)}，渠道流水号 ${bizNo}` }
  } catch (error) {
    if (!(error instanceof SmsError)) throw error
    return { msg: `未能发送，渠道答复：${error.message}` }
  }
}
