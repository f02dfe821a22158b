import { FlowCategory } from '#schemas/dictionaries'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { liveFor, withRemoved } from '../../../platform/database/live.ts'
import type { ModuleSeed } from '../../../platform/tenants/server/seed/module-seed.ts'
import type { Seeding } from '../../../platform/tenants/server/seed/tenant.ts'
import { readModel } from '../rules/read-model.ts'
import { expenseKey, expenseModel } from './expense-model.ts'
import { deployModel } from './flow-deploy.ts'
import { knownToModels } from './known.ts'
import { leaveKey, leaveModel } from './leave-model.ts'

/** A process that every tenant begins with. */
interface Given {
  readonly key: string
  readonly xml: string
  readonly category: number
}

/** A process in a tenant that has never had it. What its administrators make of it stays so. */
async function deployOnce({ trx, now }: Pick<Seeding, 'trx' | 'now'>, tenantId: string, given: Given): Promise<void> {
  const { key, xml, category } = given
  const db = liveFor(trx, { tenantId, userId: null, now: () => now })
  const known = db.selectFrom(withRemoved('flow_deployment')).select('id').where('modelKey', '=', key)
  if (await known.limit(1).executeTakeFirst()) return
  await deployModel(db, now, { ...readModel(xml, knownToModels), xml, category })
}

const leave: Given = { key: leaveKey, xml: leaveModel, category: FlowCategory.leave }

/** The process by which leaves are asked for. */
export const leaveSeed: ModuleSeed = {
  source: leaveModel,
  installation: seeding => deployOnce(seeding, firstTenant, leave),
  tenant: (seeding, tenantId) => deployOnce(seeding, tenantId, leave),
}

const claims: Given = { key: expenseKey, xml: expenseModel, category: FlowCategory.expense }

/** The process by which money is claimed back. */
export const expenseSeed: ModuleSeed = {
  source: expenseModel,
  installation: seeding => deployOnce(seeding, firstTenant, claims),
  tenant: (seeding, tenantId) => deployOnce(seeding, tenantId, claims),
}
