/** Who changed a row last. */
interface Stamped {
  updateUser?: string | null
}

/**
 * The rule of all machines for an act that is done already: by the same person it is a success without a second effect, by
 * anybody else the refusal of the act.
 * @param isDone whether the row stands already where the act would bring it
 */
export const isOwnRepeat = (row: Stamped, isDone: boolean, { userId }: { userId: string }): boolean =>
  isDone && row.updateUser === userId
