/** The last thing done with a stage's results, or a release that waits: then `time` is empty. */
export interface Move {
  kind: 'release' | 'recall' | 'delete' | 'next'
  reason: string
  num: number
  time: string
  dueTime: string
  problem: string
  userName: string
}

/** A stage and how far its results are. */
export interface ResultStage {
  itemId: string
  itemName: string
  /** 0 not released, 1 released, 2 recalled. */
  resultRelease: number
  fullScore: string
  passScore: string
  /** Who is to have a result. */
  people: number
  results: number
  absent: number
  cheated: number
  next: number
  /** The person changed a score since the stage was recalled: a second one releases. */
  changedByMe: boolean
  last: Move | ''
  /** Why entering and releasing are too early now, in words; empty when they are not. */
  block: { enter: string; release: string }
  /** Until when a release is early; empty when it is not. */
  earlyUntil: string
  /** Who has asked for an early release. */
  early: { userName: string; reason: string; time: string } | ''
}

/** A stage's result of one person. */
export interface StageResult {
  itemId: string
  ticketNo: string
  score: string
  addScore: string
  resultFlag: number
  rankNo: number | ''
  isPass: number
  isNext: number
}

/** One person in the final list; `runs` is 0 for whoever was struck off or gave up. */
export interface FinalRow {
  signupId: string
  name: string
  signNo: string
  runs: number
  totalScore: string
  rankNo: number | ''
  results: StageResult[]
}

/** A position with its people, the best first. */
export interface FinalPosition {
  code: string
  unitName: string
  typeName: string
  postName: string
  planNum: number
  curPlanNum: number
  shares: { itemId: string; weight: string }[]
  rows: FinalRow[]
}

/** The final list of an exam. */
export interface FinalList {
  stages: { itemId: string; itemName: string; itemType: string; resultRelease: number }[]
  positions: FinalPosition[]
}
