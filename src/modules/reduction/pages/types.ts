import { ReduceDecision } from '#schemas/dictionaries/sign-up'

/** What the rule makes of a position: keep 1, cut 2, cancel 3. */
export interface Proposal {
  decision: 1 | 2 | 3
  afterNum: number
}

/** One position of a plan. */
export interface PlanLine {
  unit: string
  type: string
  code: string
  postName: string
  beforeNum: number
  effectNum: number
  ratio: string
  proposal: Proposal
  otherwise: Proposal
  /** Key of dictionary `reduce_decision`. */
  decision: number
  afterNum: number
  basis: string
  file: string
  passNum: number
  paidNum: number
}

/** The reduction of an exam as its page shows it. */
export interface Reduction {
  exam: {
    examId: string
    examName: string
    examStatus: number
    /** 1 who has passed review counts, 2 who has paid. */
    reduceBase: number
    allowAdjust: number
    reduceStartTime: string
    reduceEndTime: string
    signEndTime: string
    payEndTime: string
  }
  computed: boolean
  confirmTime: string
  decidedByMe: boolean
  /** Why nothing can be done with the plan now, in words; empty when it can. */
  block: string
  pending: { num: number; list: { signupId: string; signNo: string; name: string; examine: number }[] }
  positions: PlanLine[]
  affected: number
  names: { nameState: number; num: number }[]
}

/** An exam to choose from, and what stands against its reduction now; empty when nothing does. */
export interface ReducibleExam {
  examId: string
  examName: string
  block: string
}

/** What is decided for one position on the page, before it is kept. */
export type Edit = Partial<Pick<PlanLine, 'decision' | 'afterNum' | 'basis' | 'file'>>

/** Address of the calls. */
export const base = '/blade-signup/signup'
export const stale = [`${base}/getPostReduction`]

/** A line as it stands on the page. */
export const edited = (line: PlanLine, edit: Edit | undefined): PlanLine => ({ ...line, ...edit })

/** What a cancellation by the rule rests on, as it is kept with it; other decisions need no basis. */
export const ruleBasis = ({ effectNum, ratio }: PlanLine, decision: number): string =>
  decision === ReduceDecision.cancel ? `有效人数 ${effectNum} 人，未达开考比例 ${Number(ratio)}:1` : ''

/** The places a decision begins with. */
export function presetOf(line: PlanLine, decision: number): number {
  if (decision === ReduceDecision.cancel) return 0
  if (decision === ReduceDecision.keep || decision === ReduceDecision.keepByException) return line.beforeNum
  return line.proposal.afterNum
}
