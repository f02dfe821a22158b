/**
 * How long anything may take, in milliseconds: the one table of these limits. `docs/operate.md` and `docs/handbook.zh-CN.md` tell them to
 * whoever runs an installation, and a test compares them.
 */
export const limits = {
  /** The head of a request must have come. */
  headers: 60_000,
  /**
   * A whole request must have come. Two minutes would end an upload of 20 MB on a phone that sends less than 170 KB a second; who sends
   * slowly on purpose is ended by the pace that `body` asks for.
   */
  request: 600_000,
  /** The first part of a body must have come, and more for each KB of a large one. */
  body: 20_000,
  /** A connection without a request is kept, which is longer than a proxy keeps its own. */
  keepAlive: 75_000,
  /**
   * Somebody waits for a connection of the pool, or for a new one. Of a database that does not answer everybody is told within five
   * seconds, and too many who wait are refused at once; three seconds would refuse besides, at the opening, who is served in four.
   */
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
  /** Whoever was refused may ask again; proxies before the server say the same (deploy/nginx.conf, deploy/haproxy.cfg). */
  retry: 2000,
  /** The payment channel answers: a candidate waits at the cashier. */
  pay: 5000,
  /** A service outside answers: text messages, WeChat, identity providers, webhooks. */
  outside: 8000,
  /** A process waits for the token that another one asks WeChat for, which takes as long as a call outside. */
  token: 10_000,
  /** The scanner has read a file, of 20 MB at most, and says what it is: longer than others, because it reads all of it. */
  scan: 20_000,
  /** A bucket has begun to answer: longer than others, because before that it takes a part of eight megabytes. */
  storage: 30_000,
  /** A mail server has taken a mail: longer than others, because a mail that is given up too early may arrive all the same. */
  mail: 60_000,
  /** From the order to stop to the end of the process, whatever is under way. */
  stop: 25_000,
} as const
