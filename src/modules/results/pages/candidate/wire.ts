/** A score of this person that is out. Missing numbers are empty; `resultFlag` 2 absent, 3 cheated, 4 nought by decision. */
export interface Score {
  id: string
  examId: string
  itemId: string
  examName: string
  itemName: string
  unitName: string
  code: string
  postName: string
  ticketNo: string
  score: string
  addScore: string
  fullScore: string
  totalScore: string
  resultFlag: number
  rankNo: number | ''
  isPass: number
  isNext: number
  releaseTime: string
  canAppeal: boolean
  appealEndTime: string
  /** Why no appeal can be filed now, in words. */
  appealBlock?: string
  appeal: '' | Appeal
}

/** An appeal against a score: 0 waits, 1 the score stands, 2 it was put right, 3 taken back. */
export interface Appeal {
  id: string
  reason: string
  appealStatus: number
  reply: string
  createTime: string
  handleTime: string
}

/** The calls of this page. */
export const paths = {
  scores: '/blade-signup/score/getExamScore',
  appeal: '/blade-result/resultappeal/submit',
  withdraw: '/blade-result/resultappeal/withdraw',
} as const

/** The refusal of a person who has no score to look at yet. */
export const notOut = REFUSAL.results.notReleased
