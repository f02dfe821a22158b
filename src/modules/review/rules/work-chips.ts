/** Named filters of the first review: of what waits, and of what is decided. */
export const workChips = {
  waiting: ['own', 'fresh', 'again', 'wrong', 'late'],
  done: ['today', 'mine', 'rejected', 'returned'],
} as const

/** A named filter of a reviewer's list. */
export type WorkChip = (typeof workChips)[keyof typeof workChips][number]

/** Stands for the whole list among its named filters. */
export const ALL = 'all'
/** A named filter of a list, or the whole of it. */
export type ListChip = WorkChip | typeof ALL

/** The named filters of a list in the order in which they are shown. It opens with the first one that has rows. */
export const listChips = {
  waiting: [...workChips.waiting, ALL],
  done: ['today', 'mine', ALL, 'rejected', 'returned'],
} as const satisfies Record<keyof typeof workChips, readonly ListChip[]>

/** The named filter that a list opens with: the first one that has rows. */
export const firstChip = (list: keyof typeof listChips, rows: Readonly<Record<WorkChip, number>>): ListChip =>
  listChips[list].find(chip => chip === ALL || rows[chip] > 0) ?? ALL
