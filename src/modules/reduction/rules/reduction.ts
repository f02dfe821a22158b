import type { Proposal } from '#resources/exams/outlook'
import { ReduceDecision } from '#schemas/dictionaries/sign-up'

const scale = 10_000

/** A decimal text with up to four decimals in ten-thousandths, exactly. */
function tenThousandths(text: string): number {
  const [whole = '0', part = ''] = text.split('.')
  return Number(whole) * scale + Number(part.padEnd(4, '0').slice(0, 4))
}

/**
 * Places left for a position: as many as its effective candidates fill at the ratio, never more than planned. Counted in
 * whole ten-thousandths, so that 3 people at 1.5 : 1 fill two places exactly.
 * @param ratio candidates asked for each place, as a decimal text; `0` asks for none and keeps the position
 */
export function proposalOf({
  planNum,
  effectNum,
  ratio,
}: {
  planNum: number
  effectNum: number
  ratio: string
}): Proposal {
  const asked = tenThousandths(ratio)
  const afterNum = asked > 0 ? Math.min(planNum, Math.floor((effectNum * scale) / asked)) : planNum
  return {
    afterNum,
    decision: afterNum === planNum ? ReduceDecision.keep : afterNum > 0 ? ReduceDecision.reduce : ReduceDecision.cancel,
  }
}

/** What somebody decides for a position. */
export interface Decided {
  /** 0 open, 1 keep, 2 cut, 3 cancel, 4 keep by special permission. */
  decision: number
  afterNum: number
}

/**
 * What is wrong with a decision, in words; `reached`: the position has its candidates and is not to be cut; null when
 * nothing is wrong.
 */
export function decisionProblem(proposal: Proposal, planNum: number, { decision, afterNum }: Decided): string | null {
  if (afterNum > planNum) return '核减后计划数不能大于原计划数'
  if (decision === ReduceDecision.keep && proposal.decision !== ReduceDecision.keep)
    return '未达开考比例的岗位须核减、取消或特批保留'
  if (
    (decision === ReduceDecision.reduce || decision === ReduceDecision.cancel) &&
    proposal.decision === ReduceDecision.keep
  )
    return 'reached'
  if (decision === ReduceDecision.reduce && afterNum >= planNum) return '核减后计划数须小于原计划数'
  if ((decision === ReduceDecision.reduce || decision === ReduceDecision.keepByException) && afterNum < 1)
    return '核减后计划数须大于0'
  return null
}

/** Places a decision leaves: none of a cancelled position, all of one that is kept. */
export const placesOf = (planNum: number, { decision, afterNum }: Decided): number =>
  decision === ReduceDecision.cancel ? 0 : decision === ReduceDecision.keep ? planNum : afterNum
