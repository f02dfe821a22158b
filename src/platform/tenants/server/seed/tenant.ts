import type { FastifyInstance } from 'fastify'
import { OrgCategory } from '#schemas/dictionaries'
import type { Reader } from '../../../database/database.ts'
import { firstTenant } from '../../../database/first-tenant.ts'

/** Id of the department that every installation begins with. */
export const topDept = '1100000000000000001'

/** What a seeding step works with. */
export interface Seeding {
  app: Pick<FastifyInstance, 'config' | 'vault' | 'log'>
  /** The transaction all steps share. */
  trx: Reader
  now: Date
}

/** The first tenant and its department. */
export async function seedTenant({ trx }: Seeding): Promise<void> {
  const tenant = await trx.selectFrom('tenant').select('id').where('tenantId', '=', firstTenant).executeTakeFirst()
  if (!tenant) {
    const values = { tenantId: firstTenant, tenantName: '管理组', linkman: '管理员', accountNumber: -1 }
    await trx.insertInto('tenant').values(values).execute()
  }
  const dept = await trx.selectFrom('dept').select('id').where('id', '=', topDept).executeTakeFirst()
  if (dept) return
  const names = { deptName: '卫生健康局', fullName: '卫生健康局' }
  await trx
    .insertInto('dept')
    .values({
      id: topDept,
      tenantId: firstTenant,
      ancestors: '0',
      deptCategory: OrgCategory.company,
      sort: 1,
      ...names,
    })
    .execute()
}
