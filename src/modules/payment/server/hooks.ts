import { ExampayStatus, ReconStatus } from '#schemas/dictionaries'
import type { Exampay } from '#schemas/payment/exampay'
import type { Reconciliation } from '#schemas/payment/reconciliation'
import type { Hooks } from '../../../crud/rules.ts'
import { isSame } from '../../../engine/blank.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

const changed = <T extends object>(given: Partial<T>, before: T, name: keyof T): boolean =>
  name in given && !isSame(given[name], before[name])

/** Fields of a fee that may change once it is released: its end, and words nobody pays by. */
const softFields: readonly string[] = ['endTime', 'exemptRule', 'basis']

/** A released fee keeps its amount; only its end can be moved. One that was released is recalled, not removed. */
export const exampayHooks: Hooks<typeof Exampay> = {
  async beforeSubmit(_ctx, given, before) {
    const { startTime, endTime } = { ...before, ...given }
    if (startTime && endTime && startTime >= endTime)
      throw refuse('input.invalid', { 说明: '缴费开始时间必须早于缴费结束时间' })
    if (!before || before.payStatus === ExampayStatus.draft) return
    const names = Object.keys(given) as (keyof typeof given)[]
    if (names.some(name => !softFields.includes(name) && changed(given, before, name))) throw refuse('row.wrongState')
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.payStatus !== ExampayStatus.draft)) throw refuse('row.wrongState')
  },
}

/** A day that was compared stays; one that is settled does not change. */
export const reconciliationHooks: Hooks<typeof Reconciliation> = {
  async beforeSubmit(_ctx, given, before) {
    if (!before) return
    if (before.reconStatus === ReconStatus.resolved) throw refuse('payment.daySettled')
    const compared = before.reconStatus !== ReconStatus.pending
    const moved = (['billDate', 'channel', 'billFile'] as const).some(name => changed(given, before, name))
    if (compared && moved) throw refuse('row.wrongState')
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.reconStatus === ReconStatus.resolved)) throw refuse('payment.daySettled')
    if (rows.some(row => row.reconStatus !== ReconStatus.pending)) throw refuse('row.inUse')
  },
}
