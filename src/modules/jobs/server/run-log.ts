import type { FastifyInstance } from 'fastify'
import { JobLogLevel, JobLogType } from '#schemas/dictionaries'
import { liveFor } from '../../../platform/database/live.ts'

/** Lines that are kept of one run. */
const mostLines = 5000
/** Characters of a line. */
const longest = 2000
/** Milliseconds for which lines are gathered before they are written together. */
const pause = 1000

const levels = { debug: JobLogLevel.debug, info: JobLogLevel.info, warn: JobLogLevel.warn, error: JobLogLevel.error }

/** How much a line matters. */
export type LogLevel = keyof typeof levels

/** What is written of a run, and where. */
export interface Logged {
  runId: string
  jobName: string
  tenantId: string
  logType: number | null
  logLevel: number | null
}

/** The log of a run in one process. */
export interface RunLog {
  /** Takes a line; it is written within a second. */
  log(level: LogLevel, text: string): void
  /** Writes what has been taken. */
  flush(): Promise<void>
}

/**
 * Opens the log of a run: in the list that people see, in the journal, in the log of the process, or nowhere, as its job says.
 * A line that cannot be written stops no work.
 */
export function openLog(app: FastifyInstance, { runId, jobName, tenantId, logType, logLevel }: Logged): RunLog {
  const type = logType ?? JobLogType.online
  const least = logLevel ?? JobLogLevel.info
  const isOnline = type === JobLogType.online || type === JobLogType.localAndOnline
  const isLocal = type === JobLogType.local || type === JobLogType.localAndOnline
  let lines: { logLevel: (typeof levels)[LogLevel]; logTime: Date; text: string }[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const taken = lines
    lines = []
    if (taken.length === 0) return
    const db = liveFor(app, { tenantId, userId: null, now: app.now })
    const { n } = await db
      .selectFrom('job_log')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('instanceId', '=', runId)
      .executeTakeFirstOrThrow()
    const room = Math.max(0, mostLines - Number(n))
    const rows = taken.slice(0, room).map(line => ({ instanceId: runId, node: app.queue.node, ...line }))
    if (rows.length > 0) await db.insertInto('job_log').values(rows).execute()
  }
  const write = () => flush().catch(err => app.log.warn({ err, run: runId }, 'lines of the log of a run were not kept'))
  return {
    log(level, text) {
      if (type === JobLogType.none || levels[level] < least) return
      const line = text.slice(0, longest)
      if (type === JobLogType.stdout) app.log.info({ run: runId, job: jobName, level }, line)
      if (isLocal) app.journal.note(level === 'debug' ? 'info' : level, `job ${jobName}`, { instanceId: runId, line })
      if (!isOnline) return
      lines.push({ logLevel: levels[level], logTime: app.now(), text: line })
      timer ??= setTimeout(write, pause).unref()
    },
    flush: write,
  }
}
