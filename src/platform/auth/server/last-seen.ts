import type { FastifyInstance } from 'fastify'
import { UserType } from '#schemas/dictionaries'

/** Milliseconds for which a session's last-seen time may be behind: staff's ends with idleness, candidates' never does. */
const lag = { staff: 60_000, candidate: 5 * 60_000 }

/** Milliseconds between two statements that write the times of candidates. */
const interval = 1000

/** A session as the look-up of its token found it. */
interface SeenSession {
  sessionId: string
  userType: number
  lastSeen: Date
}

const staffQuery = `UPDATE session SET "lastSeen" = $2 WHERE id = $1 AND "lastSeen" < $2`

// Rows that another process holds at this moment are being written by it, so nobody waits and no two processes block each other.
const groupQuery = `
WITH seen AS (SELECT * FROM unnest($1::bigint[], $2::timestamptz[]) AS n (id, at)),
held AS (SELECT s.id FROM session s JOIN seen n ON n.id = s.id AND s."lastSeen" < n.at ORDER BY s.id FOR NO KEY UPDATE OF s SKIP LOCKED)
UPDATE session s SET "lastSeen" = n.at FROM seen n JOIN held h ON h.id = n.id WHERE s.id = n.id`

/** Sessions written by one statement. */
const mostAtOnce = 5000

/**
 * Notes that people are there. Of staff the request itself writes it, once a minute, because half an hour without a request ends
 * their session. Of candidates it is written once in five minutes, those of a second in one statement; what a process that is killed
 * had not written is written by the next request.
 * @returns to be called at each request that a person makes
 */
export function followLastSeen(app: FastifyInstance): (session: SeenSession, now: Date) => Promise<void> {
  let waiting = new Map<string, Date>()
  let writing = Promise.resolve()

  const write = async (): Promise<void> => {
    const all = [...waiting]
    waiting = new Map()
    for (let at = 0; at < all.length; at += mostAtOnce) {
      const part = all.slice(at, at + mostAtOnce)
      const values = [part.map(([id]) => id), part.map(([, time]) => time)]
      // The time in the row stays behind, so the next request notes it again.
      await app.pool.query(groupQuery, values).catch(err => app.log.warn({ err, sessions: part.length }, 'last seen'))
    }
  }
  const flush = (): Promise<void> => {
    if (waiting.size > 0) writing = writing.then(write)
    return writing
  }
  const timer = setInterval(flush, interval)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })

  return async ({ sessionId, userType, lastSeen }, now) => {
    const behind = now.getTime() - lastSeen.getTime()
    if (userType !== UserType.candidate) {
      if (behind >= lag.staff) await app.pool.query(staffQuery, [sessionId, now])
    } else if (behind >= lag.candidate) waiting.set(sessionId, now)
  }
}
