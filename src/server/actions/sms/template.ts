import type { Selectable } from 'kysely'
import type { Database } from '../../plugins/database.ts'
import type { Reader } from '../pay/context.ts'

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
        .where('enabled.smsStatus', '=', 1)
        .where('enabled.isDeleted', '=', 0),
    )
    .$if(smsCode !== undefined, query => query.where('smsCode', '=', smsCode ?? ''))
    .orderBy('createTime')
    .orderBy('id')
    .execute()
}
