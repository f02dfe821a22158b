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

/** Last sign-up number given in an exam. */
export interface SignSerialTable {
  examId: string
  last: number
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
}

declare module './tables.ts' {
  interface InternalTables {
    idempotency: IdempotencyTable
    sign_serial: SignSerialTable
    signup_claim: SignupClaimTable
    signup_strike: SignupStrikeTable
  }
}
