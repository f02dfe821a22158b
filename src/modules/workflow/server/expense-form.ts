import { expense } from '#resources/workflow/expense'
import { Expense } from '#schemas/workflow/expense'
import type { FlowForm } from './form.ts'

/** Claims of expenses, whose process is decided by their amount in yuan. */
export const expenseForm: FlowForm = {
  key: 'expense',
  entity: Expense,
  resource: expense,
  table: 'expense',
  forbidsOwn: false,
  filled: now => ({ applyTime: now }),
  facts: ({ amount, reason }) => ({ amount: (Number(amount) / 100).toFixed(2), reason: String(reason) }),
}
