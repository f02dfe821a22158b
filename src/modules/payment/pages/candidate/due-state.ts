import { PayState } from '#schemas/dictionaries/pay'
import type { Tone } from '../../../../screens/candidate/Badge.tsx'
import type { Due } from '../../contract.ts'

const states: Record<Due['payState'], [string, Tone]> = {
  [PayState.due]: ['待缴费', 'act'],
  [PayState.paid]: ['已缴费', 'good'],
  [PayState.exempt]: ['免缴', 'good'],
  [PayState.refunding]: ['退款处理中', 'wait'],
  [PayState.refunded]: ['已退款', 'quiet'],
  [PayState.closed]: ['已关闭', 'quiet'],
}

/** Where a due stands, in a word; one of which an exemption is asked for, and one whose window is not open, say so. */
export function dueState({ payState, canPay, windowState, isExemptAsked }: Due): [string, Tone] {
  if (payState === PayState.due && isExemptAsked) return ['免缴待核', 'wait']
  if (payState === PayState.due && !canPay) return [windowState === 'before' ? '未到缴费时间' : '缴费已截止', 'quiet']
  return states[payState]
}
