/** Why nothing can be kept at the moment: the database does not answer, takes nothing, or there is no space left. */
export type Unavailable = 'away' | 'read-only' | 'full'

const away =
  /^(08...|53300|57P0[1-3]|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/
const readOnly = /^(25006|EROFS)$/
const full = /^(53100|53200|ENOSPC|EDQUOT)$/
/** What the driver says without a code. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|timeout expired|Client (has encountered a connection error|was closed))/

/** Reads an error of the database or the disk; null when it says nothing of the kind. */
export function unavailability(error: unknown): Unavailable | null {
  if (!(error instanceof Error)) return null
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  // A socket of the embedded database that is not there.
  if (away.test(code) || (code === 'ENOENT' && syscall === 'connect') || words.test(message)) return 'away'
  if (readOnly.test(code)) return 'read-only'
  return full.test(code) ? 'full' : null
}
