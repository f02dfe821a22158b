import { dateTime, entity, file, filled, json, money, optional, type Row, text } from '#engine'
import { keeping } from '../keeping.ts'

/** One outlay of a claim. */
export interface ExpenseItem {
  /** Day, `yyyy-MM-dd`. */
  readonly date: string
  /** Key of dictionary `expense_kind`. */
  readonly kind: number
  /** Fen. */
  readonly amount: number
  readonly remark?: string
}

export const Expense = entity(
  'expense',
  '报销',
  {
    reason: text('报销事由'),
    items: json<readonly ExpenseItem[]>('明细'),
    // The sum of the items.
    amount: filled(money('金额')),
    attachment: optional(file('附件')),
    processInstanceId: filled(optional(text('流程实例', { maxLength: 64 }))),
    applyTime: filled(optional(dateTime('申请时间'))),
  },
  { label: 'reason', keep: keeping.office },
)
export type Expense = Row<typeof Expense>

declare module '#engine' {
  interface Entities {
    expense: typeof Expense
  }
}
