import { ExpenseKind, FlowCategory } from '#schemas/dictionaries'
import type { FlowServer } from '../modules/workflow/server/action.ts'
import { startProcess } from '../modules/workflow/server/start.ts'
import { liveFor } from '../platform/database/live.ts'
import { atDay, type Demo } from './exams.ts'

const day = 86_400_000

/** A claim of travelling expenses that waits for its decision; from its amount on several people decide. */
export async function makeExpenses(server: FlowServer, demo: Demo): Promise<void> {
  const { db, tenantId, staff, now } = demo
  const process = await db
    .selectFrom('flow_deployment')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('modelKey', '=', 'expense')
    .where('deployTime', 'is not', null)
    .executeTakeFirst()
  if (!process) return
  const userId = staff.chushen as string
  const applyTime = atDay(now, -1)
  const date = (days: number): string => new Date(applyTime.getTime() - days * day).toISOString().slice(0, 10)
  const items = [
    { date: date(4), kind: ExpenseKind.travel, amount: 186_000, remark: '往返高铁' },
    { date: date(3), kind: ExpenseKind.lodging, amount: 342_000, remark: '住宿三晚' },
  ]
  const amount = items.reduce((sum, one) => sum + one.amount, 0)
  const reason = '省外资格审核业务培训'
  const live = liveFor(db, { tenantId, userId, now: () => applyTime })
  const { id } = await live
    .insertInto('expense')
    .values({ reason, items: JSON.stringify(items), amount, applyTime })
    .returning('id')
    .executeTakeFirstOrThrow()
  const facts = {
    amount: (amount / 100).toFixed(2),
    reason,
    approver: staff.kaowu as string,
    signers: [staff.caiwu as string, staff.jigou as string],
  }
  const wish = {
    deploymentId: process.id,
    category: FlowCategory.expense,
    businessTable: 'expense',
    businessId: id,
    facts,
  }
  const processInstanceId = await startProcess(server, live, { userId, tenantId, now: applyTime }, wish)
  await live.updateTable('expense').set({ processInstanceId }).where('id', '=', id).execute()
}
