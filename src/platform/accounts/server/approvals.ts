import type { FastifyInstance } from 'fastify'
import type { AliasableExpression, Expression } from 'kysely'
import type { Live, LiveTrx } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'

/**
 * Decisions that a tenant may leave to a process; the parameter `flow.biz.<kind>` names its model. Of each the table of the rows
 * and the facts by which a process may decide, with what people read them as: money as decimal text, nothing that they may not see.
 */
export const approvalKinds = {
  refund: { table: 'payrefund', facts: { orderNo: '订单号', amount: '退款金额（元）', reason: '退款原因' } },
  exempt: {
    table: 'payrecord',
    facts: { name: '姓名', amount: '应缴金额（元）', reason: '免缴原因', proof: '免缴材料' },
    files: ['proof'],
  },
  userUpdate: { table: 'userupdateinfo', facts: { name: '姓名', fields: '变更项目', reason: '变更原因' } },
  examRelease: {
    table: 'examination',
    facts: { examId: '考试编号', name: '考试名称', positions: '岗位数', reason: '重新发布的原因' },
  },
} as const satisfies Record<string, ApprovalTerms>

interface ApprovalTerms {
  readonly table: string
  readonly facts: Readonly<Record<string, string>>
  /** Facts that are files. */
  readonly files?: readonly string[]
}

export type ApprovalKind = keyof typeof approvalKinds

/** A row that waits for a decision. */
export interface AwaitingApproval<K extends ApprovalKind> {
  readonly kind: K
  readonly id: string
  /** What people see it called. */
  readonly title: string
  readonly facts: Readonly<Record<keyof (typeof approvalKinds)[K]['facts'], string | number | boolean | null>>
}

/** What is decided on of the rows of a table. */
export const approvalOf = (table: string): ApprovalTerms | undefined =>
  Object.values(approvalKinds).find(one => one.table === table)

/** Who asks, and when. */
export interface Asker {
  readonly tenantId: string
  readonly userId: string
  readonly now: Date
}

/** Decisions by a process instead of by a button. */
export interface Approvals {
  /**
   * Begins the process of a row, where the tenant has one for its kind.
   * @returns whether a process decides from now on
   * @throws input.invalid when the process cannot begin, workflow.suspended
   */
  begin<K extends ApprovalKind>(
    app: FastifyInstance,
    trx: LiveTrx,
    asker: Asker,
    row: AwaitingApproval<K>,
  ): Promise<boolean>
  /** @throws row.wrongState while a process decides on one of the rows */
  requireFree(db: Live, kind: ApprovalKind, ids: readonly string[]): Promise<void>
  /** Whether a process decides on the row with an id. */
  awaits(kind: ApprovalKind, id: Expression<string>): AliasableExpression<boolean>
  /** Whether a person takes part in a process about a row, or looks after processes. */
  sees(app: FastifyInstance, person: Person, businessId: string): Promise<boolean>
}

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    approvals: Approvals
  }
}
