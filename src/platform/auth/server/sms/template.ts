import type { Selectable } from 'kysely'
import { EnableStatus } from '#schemas/dictionaries'
import type { Database, Reader } from '../../../database/database.ts'
import { refuse } from '../../../http/server/refusal.ts'

/** A row of the settings for text messages: one template with its signature. */
export type SmsRow = Selectable<Database['sms']>

/**
 * The templates a tenant may send with: all of the provider whose settings are enabled.
 * @param smsCode only the one with this number
 */
export function usableTemplates(db: Reader, tenantId: string, smsCode?: string): Promise<SmsRow[]> {
  return db
    .selectFrom('sms')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('isDeleted', '=', 0)
    .where('category', 'in', eb =>
      eb
        .selectFrom('sms as enabled')
        .select('enabled.category')
        .where('enabled.tenantId', '=', tenantId)
        .where('enabled.smsStatus', '=', EnableStatus.enabled)
        .where('enabled.isDeleted', '=', 0),
    )
    .$if(smsCode !== undefined, query => query.where('smsCode', '=', smsCode ?? ''))
    .orderBy('createTime')
    .orderBy('id')
    .execute()
}

/** A template the tenant may send with. @throws input.invalid */
export async function usableTemplate(db: Reader, tenantId: string, templateId: string): Promise<SmsRow> {
  const template = (await usableTemplates(db, tenantId)).find(one => one.id === templateId)
  if (!template)
    throw refuse('input.invalid', { 说明: '短信模板不存在或未启用' }, [{ field: 'templateId', msg: '请重新选择模板' }])
  return template
}
