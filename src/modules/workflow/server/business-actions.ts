import type { FastifyInstance } from 'fastify'
import { examination } from '#resources/exams/examination'
import { userupdateinfo } from '#resources/system/userupdateinfo'
import { makeTransition } from '../../../crud/transition.ts'
import { type ApprovalKind, approvalKinds } from '../../../platform/accounts/server/approvals.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { exemptIn } from '../../payment/server/records.ts'
import { approveRefundIn, rejectRefundIn } from '../../payment/server/refund.ts'
import { FlowProblem } from '../rules/problem.ts'
import { textOf, type Value } from '../rules/value.ts'
import type { ActionContext, FlowAction } from './action.ts'

/** Words of a decision where the model gives none. */
const refusedByProcess = '流程审批不通过'

/** Who decides on the business row of a run, and in which transaction. */
interface Deciding {
  readonly app: FastifyInstance
  readonly trx: LiveTrx
  readonly actor: { readonly tenantId: string; readonly userId: string }
  readonly now: Date
  readonly id: string
}

/**
 * What an action needs to decide on the row of a run.
 * @param kind of the decision
 * @throws FlowProblem in a run about something else, and where no person has decided
 */
function decidingOn(context: ActionContext, kind: ApprovalKind): Deciding {
  const { server, db, tenantId, userId, now, run } = context
  if (run.businessTable !== approvalKinds[kind].table) throw new FlowProblem('该动作不适用于本流程的单据')
  // What a person answers for is not done by a timer.
  if (userId === null) throw new FlowProblem('该动作须由人员办理后执行')
  return { app: server as FastifyInstance, trx: db as LiveTrx, actor: { tenantId, userId }, now, id: run.businessId }
}

/** @throws row.sameApprover for whoever asked for it */
function requireOther({ userId, run }: ActionContext): void {
  if (userId === run.starter) throw refuse('row.sameApprover')
}

const reasonOf = (value: Value | undefined): string => textOf(value ?? null).trim() || refusedByProcess

const reasonField = { name: 'reason', title: '原因' }

const refundApprove: FlowAction = {
  name: 'refundApprove',
  title: '批准退款',
  fields: [],
  when: 'inside',
  async run(context) {
    const { trx, actor, now, id } = decidingOn(context, 'refund')
    // The channel is asked after the move, by the job that looks after refunds on their way.
    await approveRefundIn(trx, actor, id, now)
    return undefined
  },
}

const refundReject: FlowAction = {
  name: 'refundReject',
  title: '驳回退款',
  fields: [reasonField],
  when: 'inside',
  async run(context, { reason }) {
    const { trx, actor, now, id } = decidingOn(context, 'refund')
    await rejectRefundIn(trx, actor, id, { reason: reasonOf(reason), now })
    return undefined
  },
}

const exemptGrant: FlowAction = {
  name: 'exemptGrant',
  title: '批准免缴',
  fields: [],
  when: 'inside',
  async run(context) {
    const { trx, actor, now, id } = decidingOn(context, 'exempt')
    requireOther(context)
    const { reason = null, proof = null } = context.variables
    await exemptIn(trx, actor, id, { reason: textOf(reason), file: textOf(proof), now })
    return undefined
  },
}

const userUpdatePass: FlowAction = {
  name: 'userUpdatePass',
  title: '通过资料变更',
  fields: [],
  when: 'inside',
  async run(context) {
    const { app, trx, actor, now, id } = decidingOn(context, 'userUpdate')
    await makeTransition({ app, trx, caller: actor, now }, userupdateinfo, 'pass', [id])
    return undefined
  },
}

const userUpdateReject: FlowAction = {
  name: 'userUpdateReject',
  title: '驳回资料变更',
  fields: [reasonField],
  when: 'inside',
  async run(context, { reason }) {
    const { app, trx, actor, now, id } = decidingOn(context, 'userUpdate')
    await makeTransition({ app, trx, caller: actor, now }, userupdateinfo, 'reject', [id], { remark: reasonOf(reason) })
    return undefined
  },
}

const examRelease: FlowAction = {
  name: 'examRelease',
  title: '发布考试',
  fields: [],
  when: 'inside',
  async run(context) {
    const { app, trx, actor, now, id } = decidingOn(context, 'examRelease')
    requireOther(context)
    const given = context.variables.reason
    const reason = typeof given === 'string' && given !== '' ? { reason: given } : {}
    await makeTransition({ app, trx, caller: actor, now }, examination, 'releaseExam', [id], reason)
    return undefined
  },
}

/** What models do to the rows of the business; the rules of the business hold as for its buttons. */
export const businessActions: readonly FlowAction[] = [
  refundApprove,
  refundReject,
  exemptGrant,
  userUpdatePass,
  userUpdateReject,
  examRelease,
]
