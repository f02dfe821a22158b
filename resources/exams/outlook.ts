import { count, dict, group, type Wire, words } from '#engine'
import { ReduceDecision, reduceBase } from '../../schemas/dictionaries/sign-up.ts'

/** What the rule of reduction makes of a position: keep it, cut it to `afterNum`, or cancel it. */
export const proposalShape = group({
  decision: words('处理', ReduceDecision.keep, ReduceDecision.reduce, ReduceDecision.cancel),
  afterNum: count('核减后计划数'),
})

/** The same with the people a position has now, those it lacks, and who of them counts. */
export const outlookShape = group({
  ...proposalShape.of,
  effectNum: count('有效人数'),
  lackNum: count('还差人数'),
  base: dict('核减依据', reduceBase),
})

/** What the rule makes of a position. */
export type Proposal = Wire<typeof proposalShape>
/** The same with the people of now. */
export type Outlook = Wire<typeof outlookShape>
