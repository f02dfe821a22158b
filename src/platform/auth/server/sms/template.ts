import type { Selectable } from 'kysely'
import { EnableStatus } from '#schemas/dictionaries'
import type { Live, LiveDatabase } from '../../../database/live.ts'
import { refuse } from '../../../http/server/refusal.ts'

/** A row of the settings for text messages: one template with its signature. */
export type SmsRow = Selectable<LiveDatabase['sms']>

/**
 * The templates that the tenant of a handle may send with: all of the provider whose settings are enabled.
 * @param smsCode only the one with this number
 */
export function usableTemplates(db: Live, smsCode?: string): Promise<SmsRow[]> {
  return db
    .selectFrom('sms')
    .selectAll()
    .where('category', 'in', eb =>
      eb.selectFrom('sms as enabled').select('enabled.category').where('enabled.smsStatus', '=', EnableStatus.enabled),
    )
    .$if(smsCode !== undefined, query => query.where('smsCode', '=', smsCode ?? ''))
    .orderBy('createTime')
    .orderBy('id')
    .execute()
}

/** A template the tenant may send with. @throws input.invalid */
export async function usableTemplate(db: Live, templateId: string): Promise<SmsRow> {
  const template = (await usableTemplates(db)).find(one => one.id === templateId)
  if (!template)
    throw refuse('input.invalid', { 说明: '短信模板不存在或未启用' }, [{ field: 'templateId', msg: '请重新选择模板' }])
  return template
}
