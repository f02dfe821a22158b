import type { Selectable } from 'kysely'
import { EnableStatus } from '#schemas/dictionaries'
import type { Live, LiveDatabase } from '../../../database/live.ts'
import { refuse } from '../../../http/server/refusal.ts'

/** A row of the settings for text messages: one template with its signature. */
export type SmsRow = Selectable<LiveDatabase['sms']>

/**
 * The templates that the tenant of a handle may send with: of those in use that share a code the main one, whose words the reserves have.
 * @param smsCode only the one with this code
 */
export async function usableTemplates(db: Live, smsCode?: string): Promise<SmsRow[]> {
  const rows = await db
    .selectFrom('sms')
    .selectAll()
    .where('smsStatus', '=', EnableStatus.enabled)
    .$if(smsCode !== undefined, query => query.where('smsCode', '=', smsCode ?? ''))
    .orderBy('priority')
    .orderBy('createTime')
    .orderBy('id')
    .execute()
  return rows
    .filter((row, at) => rows.findIndex(one => one.smsCode === row.smsCode) === at)
    .toSorted((a, b) => a.createTime.getTime() - b.createTime.getTime())
}

/** A template the tenant may send with. @throws input.invalid */
export async function usableTemplate(db: Live, templateId: string): Promise<SmsRow> {
  const template = (await usableTemplates(db)).find(one => one.id === templateId)
  if (!template)
    throw refuse('input.invalid', { 说明: '短信模板不存在或未启用' }, [{ field: 'templateId', msg: '请重新选择模板' }])
  return template
}
