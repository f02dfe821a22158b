import type { Position } from '../../../../screens/candidate/wire.ts'

/** What the pre-check says of one demand: 1 met, 2 to be looked at, 3 not met. */
interface Finding {
  rule: string
  level: 1 | 2 | 3
  msg: string
}

interface Place {
  unitName: string
  code: string
  postName: string
}

/** What somebody whose position is gone needs to know. */
export interface ChoiceInfo {
  signupId: string
  old: Place
  chosen: Place | ''
  /** Key of dictionary `reduce_decision`: what became of the former position; 0 while nothing is confirmed. */
  decision: number
  /** Key of dictionary `reduce_state`. */
  state: number
  window: { start: string; end: string }
  canChoose: boolean
  targets: (Position & { precheck: Finding[] })[]
  paid: boolean
  /** `''`, `refunding` or `refunded`. */
  refund: string
  contactPhone: string
}
