import type { FastifyInstance } from 'fastify'
import type { Live, LiveTrx } from '../../database/live.ts'

/** Kinds of decisions that a tenant may leave to a process; the parameter `flow.biz.<kind>` names its model. */
export type ApprovalKind = 'refund' | 'userUpdate' | 'examRelease'

/** A row that waits for a decision. */
export interface AwaitingApproval {
  readonly kind: ApprovalKind
  readonly table: string
  readonly id: string
  /** What people see it called. */
  readonly title: string
  /** What the process may decide by; money as decimal text, nothing that its people may not see. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

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
  begin(app: FastifyInstance, trx: LiveTrx, asker: Asker, row: AwaitingApproval): Promise<boolean>
  /** @throws row.wrongState while a process decides on one of the rows */
  requireFree(db: Live, table: string, ids: readonly string[]): Promise<void>
}

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    approvals: Approvals
  }
}
