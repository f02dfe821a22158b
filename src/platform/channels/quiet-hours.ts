import type { AnyHandle, Live } from '../database/live.ts'
import { readParam } from '../database/param.ts'
import type { QuietHours } from './quiet.ts'

/** The quiet hours of the tenant of a handle. */
export async function readQuietHours(db: Live): Promise<QuietHours> {
  return { from: await readParam(db, 'notify.quietFrom'), until: await readParam(db, 'notify.quietUntil') }
}

/** The quiet hours of a tenant that is named. */
export async function quietHoursOf(db: AnyHandle, tenantId: string): Promise<QuietHours> {
  const [from, until] = [
    await readParam(db, tenantId, 'notify.quietFrom'),
    await readParam(db, tenantId, 'notify.quietUntil'),
  ]
  return { from, until }
}
