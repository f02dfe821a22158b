/** Named filters of the first review: of what waits, and of what is decided. */
export const workChips = {
  waiting: ['own', 'fresh', 'again', 'wrong', 'late'],
  done: ['today', 'mine', 'rejected', 'returned'],
} as const

/** A named filter of a reviewer's list. */
export type WorkChip = (typeof workChips)[keyof typeof workChips][number]
