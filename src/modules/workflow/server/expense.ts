import { isDay } from '#engine'
import { expenseKind } from '#schemas/dictionaries'
import type { Expense, ExpenseItem } from '#schemas/workflow/expense'
import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rules.ts'

/** Most outlays of a claim, and most of each, in fen. */
const most = { items: 50, amount: 1_000_000_000 }

const names = new Set(['date', 'kind', 'amount', 'remark'])

function problemOf(item: Partial<Record<keyof ExpenseItem, unknown>>): string | undefined {
  const { date, kind, amount, remark } = item
  if (Object.keys(item).some(name => !names.has(name))) return '内容不正确'
  if (typeof date !== 'string' || !isDay(date)) return '请选择日期'
  if (!Object.keys(expenseKind.entries).includes(String(kind))) return '请选择类别'
  if (!Number.isSafeInteger(amount) || Number(amount) <= 0) return '请输入金额'
  if (Number(amount) > most.amount) return '金额过大'
  return remark === undefined || (typeof remark === 'string' && remark.length <= 100) ? undefined : '说明过长'
}

/** The outlays of a claim. @throws input.invalid naming the first wrong one */
function readItems(given: unknown): readonly ExpenseItem[] {
  const wrong = (msg: string) => wrongInput([{ field: 'items', msg }])
  if (!Array.isArray(given) || given.length === 0) throw wrong('请填写明细')
  if (given.length > most.items) throw wrong('明细不能超过50行')
  for (const [at, item] of given.entries()) {
    const problem = typeof item === 'object' && item !== null ? problemOf(item) : '内容不正确'
    if (problem) throw wrong(`第${at + 1}行：${problem}`)
  }
  return given.map(({ date, kind, amount, remark }) => ({
    date,
    kind: Number(kind),
    amount,
    ...(remark && { remark }),
  }))
}

/** Rules of claims: their amount is the sum of their outlays. */
export const expenseHooks: Hooks<typeof Expense> = {
  async beforeSubmit({ set }, given, before) {
    const items = readItems({ ...before, ...given }.items)
    set({ items, amount: items.reduce((sum, { amount }) => sum + amount, 0) })
  },
}
