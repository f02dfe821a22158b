/** How much a run may do and hold; beyond that it is refused, so that no model fills the tables or keeps a server busy. */
export const limits = {
  /** Steps in one move. */
  steps: 1000,
  /** Repetitions of one step. */
  members: 200,
  /** Tokens that are open at once. */
  tokens: 500,
  /** Characters of all variables as JSON. */
  variables: 64 * 1024,
  /** Processes that call each other. */
  depth: 10,
  /** Milliseconds a timer runs at least. */
  timer: 10_000,
  /** Times a timer goes off. */
  repeats: 100,
} as const
