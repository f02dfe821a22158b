import { ReduceDecision } from '#schemas/dictionaries/sign-up'
import type { PlanLine } from '../contract.ts'

/** What is decided for one position on the page, before it is kept. */
export type Edit = Partial<Pick<PlanLine, 'decision' | 'afterNum' | 'basis' | 'file'>>

/** A line as it stands on the page. */
export const edited = (line: PlanLine, edit: Edit | undefined): PlanLine => ({ ...line, ...edit })

/** What a cancellation by the rule rests on, as it is kept with it; other decisions need no basis. */
export const ruleBasis = ({ effectNum, ratio }: PlanLine, decision: number): string =>
  decision === ReduceDecision.cancel ? `有效人数 ${effectNum} 人，未达开考比例 ${Number(ratio)}:1` : ''

/** The places a decision begins with. */
export function presetOf(line: PlanLine, decision: PlanLine['decision']): number {
  if (decision === ReduceDecision.cancel) return 0
  if (decision === ReduceDecision.keep || decision === ReduceDecision.keepByException) return line.beforeNum
  return line.proposal.afterNum
}
