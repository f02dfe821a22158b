import { resource } from '#engine'
import { Expense } from '../../schemas/workflow/expense.ts'

export const expense = resource(Expense, {
  path: '/blade-desk/process/expense',
  route: '/work/expense',
  can: ['view'],
  columns: ['reason', 'amount', 'createUser', 'applyTime'],
  search: ['reason', 'createUser', 'createTime'],
  form: ['reason', { field: 'items', as: 'expenseItems', span: 24 }, 'attachment'],
})
