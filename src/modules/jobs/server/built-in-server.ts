import { JobServerType } from '#schemas/dictionaries'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { liveFor } from '../../../platform/database/live.ts'
import type { ModuleSeed } from '../../../platform/tenants/server/seed/module-seed.ts'
import type { Seeding } from '../../../platform/tenants/server/seed/tenant.ts'

/** The server of jobs that is this program itself. It needs no address and no password. */
const builtInServer = {
  serverType: JobServerType.builtIn,
  jobServerName: '内置任务服务',
  jobServerUrl: '',
  jobAppName: 'juxian',
  jobAppPassword: '',
} as const

async function keepServer({ trx, now }: Pick<Seeding, 'trx' | 'now'>, tenantId: string): Promise<void> {
  const db = liveFor(trx, { tenantId, userId: null, now: () => now })
  const there = db.selectFrom('job_server').select('id').where('serverType', '=', JobServerType.builtIn)
  if (await there.executeTakeFirst()) return
  await db.insertInto('job_server').values(builtInServer).execute()
}

/** Every tenant has the built-in server of jobs. */
export const jobsSeed: ModuleSeed = {
  source: builtInServer,
  installation: seeding => keepServer(seeding, firstTenant),
  tenant: keepServer,
}
