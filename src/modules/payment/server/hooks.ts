import { ExampayStatus, ReconStatus } from '#schemas/dictionaries'
import type { Hooks, HooksOf, Values } from '../../../crud/rule-types.ts'
import { isSame } from '../../../engine/blank.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { merchantHooks } from './merchant.ts'

const changed = (values: Values, before: Values, name: string): boolean =>
  name in values && !isSame(values[name], before[name])

/** Fields of a fee that may change once it is released: its end, and words nobody pays by. */
const softFields = ['endTime', 'exemptRule', 'basis']

/** A released fee keeps its amount; only its end can be moved. One that was released is recalled, not removed. */
const exampay: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    const { startTime, endTime } = { ...before, ...values }
    if ((startTime as Date) >= (endTime as Date)) throw refuse(29005, { 说明: '缴费开始时间必须早于缴费结束时间' })
    if (!before || before.payStatus === ExampayStatus.draft) return values
    const hard = Object.keys(values).some(name => !softFields.includes(name) && changed(values, before, name))
    if (hard) throw refuse(29009)
    return values
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.payStatus !== ExampayStatus.draft)) throw refuse(29009)
  },
}

/** A day that was compared stays; one that is settled does not change. */
const reconciliation: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    if (!before) return values
    if (before.reconStatus === ReconStatus.resolved) throw refuse(24017)
    const compared = before.reconStatus !== ReconStatus.pending
    const moved = ['billDate', 'channel', 'billFile'].some(name => changed(values, before, name))
    if (compared && moved) throw refuse(29009)
    return values
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.reconStatus === ReconStatus.resolved)) throw refuse(24017)
    if (rows.some(row => row.reconStatus !== ReconStatus.pending)) throw refuse(29003)
  },
}

/** Rules of payment beyond the definitions, by resource. */
export const payHooks: HooksOf = { exampay, reconciliation, pay: merchantHooks }
