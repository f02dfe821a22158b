import type { Generated } from 'kysely'

/** An answer kept for repeated requests; `response` is null while the first is still being worked on. */
export interface IdempotencyTable {
  userId: string
  path: string
  key: string
  bodyHash: string
  response: string | null
  lockedAt: Date
  expireTime: Date
}

/** Last sign-up number given in an exam, and how many digits they have. */
export interface SignSerialTable {
  examId: string
  last: number
  width: Generated<number>
}

/** Sign-ups counted by position; of the exam as a whole under the code `''`. The database moves the counts at each commit. */
export interface PlaceCountTable {
  examId: string
  code: string
  /** Handed in, whatever the review says. */
  signed: number
  passed: number
  /** Handed in and not refused. */
  taken: number
}

/** What the transaction asks of the counts at its commit. */
export interface PlaceMoveTable {
  examId: string
  code: string
  /** What is looked at again: 1 that exam and position take sign-ups, 2 also that the position may be chosen. */
  look: Generated<number>
}

/** Who is looking at a sign-up, until when. */
export interface SignupClaimTable {
  signupId: string
  userId: string
  userName: string
  until: Date
}

/** A disqualification that waits for a second person. */
export interface SignupStrikeTable {
  signupId: string
  userId: string
  reason: string
  time: Date
  /** Until when the candidate may state the case; null where the candidate was not told. */
  until: Date | null
}

declare module './tables.ts' {
  interface InternalTables {
    idempotency: IdempotencyTable
    place_count: PlaceCountTable
    place_move: PlaceMoveTable
    sign_serial: SignSerialTable
    signup_claim: SignupClaimTable
    signup_strike: SignupStrikeTable
  }
}
