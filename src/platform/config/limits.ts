/**
 * How long anything may take, in milliseconds: the one table of these limits. `docs/operate.md` tells them to whoever runs an
 * installation, and a test compares the two.
 */
export const limits = {
  /** The head of a request must have come. */
  headers: 60_000,
  /** A whole request must have come: a large upload over a slow line; before that its pace is looked at. */
  request: 600_000,
  /** The first part of a body must have come, and more for each KB of a large one. */
  body: 20_000,
  /** A connection without a request is kept, which is longer than a proxy keeps its own. */
  keepAlive: 75_000,
  /** Somebody waits for a connection of the pool, or for a new one. */
  connection: 10_000,
  /** A statement waits for a lock. */
  lock: 3000,
  /** A statement of a request works. */
  statement: 30_000,
  /** A statement of work in the background works. */
  workStatement: 120_000,
  /** Somebody waits for the answer to a statement longer than the database itself may work on it. */
  answer: 10_000,
  /** A transaction says nothing. */
  idleTransaction: 60_000,
  /** A database has to say whether it is ready. */
  readiness: 2000,
  /** A turn of the event loop is late, in two looks a second apart: from then on calls are refused. */
  turn: 1000,
  /** From the order to stop to the end of the process, whatever is under way. */
  stop: 25_000,
} as const
