import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import { type Approvals, approvalKinds } from '../../../platform/accounts/server/approvals.ts'
import { readParam } from '../../../platform/database/param.ts'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import './flow-tables.ts'
import { seesRunAbout } from './form-files.ts'
import { startProcess } from './start.ts'

/** What a parameter says where no process is named. */
const none = '-'

/** Decisions of the business that a tenant leaves to a process: the model orders the people, the business keeps its own rules. */
export const approvals: Approvals = {
  async begin(app, trx, asker, { kind, id, title, facts }) {
    const key = (await readParam(trx, `flow.biz.${kind}`)).trim()
    if (key === '' || key === none) return false
    const deployment = await trx
      .selectFrom('flow_deployment')
      .select('id')
      .where('modelKey', '=', key)
      .where('deployTime', 'is not', null)
      .executeTakeFirst()
    if (!deployment) throw refuse('input.invalid', { 说明: `没有部署流程${key}` })
    await startProcess(app, trx, asker, {
      deploymentId: deployment.id,
      businessTable: approvalKinds[kind].table,
      businessId: id,
      facts: { ...facts },
      title,
    })
    return true
  },

  async requireFree(db, kind, ids) {
    if (ids.length === 0) return
    const running = await db
      .selectFrom('flow_instance')
      .select('id')
      .where('businessTable', '=', approvalKinds[kind].table)
      .where('businessId', 'in', [...ids])
      .where('status', '=', sql.lit(FlowRun.running))
      .limit(1)
      .executeTakeFirst()
    if (running) throw refuseSaying('row.wrongState', '单据正在流程中')
  },

  awaits: (
    kind,
    id,
  ) => sql<boolean>`EXISTS (SELECT 1 FROM flow_instance f WHERE f."businessTable" = ${sql.lit(approvalKinds[kind].table)}
    AND f."businessId" = ${id} AND f.status = ${sql.lit(FlowRun.running)})`,

  sees: seesRunAbout,
}
