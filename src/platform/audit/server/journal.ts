import os from 'node:os'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Insertable } from 'kysely'
import { LogType } from '#schemas/dictionaries'
import type { Database } from '../../database/database.ts'
import { oftenAsked } from '../../database/often.ts'
import { quoteName } from '../../database/wanted.ts'
import { columnText, paramsText } from '../../http/server/log-params.ts'
import { loggedUrl } from '../../http/server/logged-url.ts'
import { Refusal } from '../../http/server/refusal.ts'
import { titleOf } from '../../http/server/route-title.ts'

/** How much a note of the business matters. */
type Level = 'info' | 'warn' | 'error'

/** The logs people read in the console: calls, errors, notes. Lines are kept for a moment and written together. */
export interface Journal {
  /**
   * A note of a job or of the business.
   * @param about what it is about: name of a job, id of a row
   */
  note(level: Level, about: string, data: unknown): void
  /** Writes what waits. Called every second and when the server ends. */
  flush(): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    journal: Journal
  }
  interface FastifyContextConfig {
    /** What a call is called in the log of calls; found by itself where it is not said. */
    title?: string
    /** Whether its use is logged even when it reads. */
    changes?: boolean
    /** Pages make it by themselves: it is logged only where it fails. */
    quiet?: true
  }
}

type Table = 'log_api' | 'log_error' | 'log_usual'
type Line = { [T in Table]: { table: T; row: Insertable<Database[T]> } }[Table]

/** Lines written at once, and lines kept at most while the database is away. */
const limits = { portion: 500, waiting: 20_000 }

/**
 * Characters that are kept of what a call was sent with. What was done stands in the rows and their history, what was not done nowhere
 * else.
 */
const paramsLength = { done: 1000, failed: 4000 }

/** Which machine wrote a line: several may serve one database. */
const serverHost = os.hostname().slice(0, 64)

const pretty = (value: unknown): string => JSON.stringify(value, null, 2).slice(0, 4000)

/** What every line about a request says. */
function common(request: FastifyRequest, time: Date, length = paramsLength.failed) {
  const { person } = request
  return {
    serviceId: 'juxian',
    tenantId: person?.tenantId ?? '000000',
    createUser: person?.userId ?? null,
    method: request.method,
    requestUri: columnText(loggedUrl(request), 255),
    remoteIp: request.ip,
    createBy: columnText(person?.account, 64),
    traceId: request.id,
    createTime: time,
    updateTime: time,
    params: paramsText(request, length),
  }
}

/** Adds lines as one value: a query builder would hold the process up for as long as hundreds of calls take. */
async function insert({ pool }: FastifyInstance, table: Table, lines: readonly Line[]): Promise<void> {
  const rows = lines.map(({ row }) => ({ ...row, serverHost }))
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))].map(quoteName).join(', ')
  const text = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`
  await pool.query(oftenAsked(text, [JSON.stringify(rows)]))
}

/** Writes lines of all tenants table by table, and hands back those that must wait. */
async function write(app: FastifyInstance, lines: readonly Line[]): Promise<readonly Line[]> {
  const waiting: Line[] = []
  for (const table of ['log_api', 'log_error', 'log_usual'] as const) {
    const some = lines.filter(line => line.table === table)
    for (let at = 0; at < some.length; at += limits.portion) {
      const part = some.slice(at, at + limits.portion)
      try {
        await insert(app, table, part)
      } catch (err) {
        // A line the database will never take must not hold up the others.
        const isWrong = /^22/.test((err as { code?: string }).code ?? '')
        app.log[isWrong ? 'error' : 'warn']({ err, lines: part.length }, 'journal')
        if (!isWrong) waiting.push(...part)
      }
    }
  }
  return waiting
}

/** What a call is worth: all that change something or fail, but not who has no token or asks for what is not there. */
function isLogged(request: FastifyRequest, reply: FastifyReply): boolean {
  const { statusCode } = reply
  if (request.is404 || statusCode === 401 || !request.url.startsWith('/api/')) return false
  // Whoever is told to come again does so until the call is taken: nothing was done.
  if (statusCode === 503 && reply.hasHeader('retry-after')) return false
  const { changes, audit, quiet } = request.routeOptions.config
  if (quiet && statusCode < 400) return false
  return request.method !== 'GET' || statusCode >= 400 || changes === true || audit !== undefined
}

function callLine(request: FastifyRequest, reply: FastifyReply, time: Date): Line {
  const { url = '', config } = request.routeOptions
  const row: Insertable<Database['log_api']> = {
    ...common(request, time, reply.statusCode >= 400 ? paramsLength.failed : paramsLength.done),
    title: config.title ?? null,
    type: url.startsWith('/api/blade-auth/') ? LogType.login : LogType.operation,
    httpStatus: reply.statusCode,
    userAgent: columnText(request.headers['user-agent'], 1000),
    time: Math.round(reply.elapsedTime),
  }
  return { table: 'log_api', row }
}

function errorLine(request: FastifyRequest, error: Error, time: Date): Line {
  const row = {
    ...common(request, time),
    exceptionName: columnText(error.name, 255),
    message: columnText(error.message, 4000),
    stackTrace: columnText(error.stack, 16_000),
  }
  return { table: 'log_error', row }
}

/** Decorates the app with its journal and writes every call that changes something or fails. */
export default fp(
  async app => {
    let lines: Line[] = []
    let flushing = Promise.resolve()
    const add = (line: Line) => {
      if (lines.length < limits.waiting) lines.push(line)
      else app.log.error({ line: line.row }, 'journal full')
    }
    const flush = () => {
      flushing = flushing.then(async () => {
        const now = lines
        lines = []
        if (now.length > 0) lines = [...(await write(app, now)), ...lines]
      })
      return flushing
    }
    app.decorate('journal', {
      note(logLevel, about, data) {
        const time = app.now()
        const row = { serviceId: 'juxian', logLevel, logId: columnText(about, 100), createTime: time, updateTime: time }
        add({ table: 'log_usual', row: { ...row, logData: columnText(pretty(data), 4000) } })
      },
      flush,
    })
    followCalls(app, add)
    const timer = setInterval(flush, 1000)
    timer.unref()
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await app.finish('the log of calls', flush())
    })
  },
  { name: 'journal', dependencies: ['database'] },
)

function followCalls(app: FastifyInstance, add: (line: Line) => void): void {
  const errors = new WeakMap<FastifyRequest, Error>()
  app.addHook('onRoute', route => {
    route.config = { ...titleOf(route), ...route.config }
  })
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof Refusal)) errors.set(request, error)
  })
  app.addHook('onResponse', async (request, reply) => {
    if (!isLogged(request, reply)) return
    const time = app.now()
    add(callLine(request, reply, time))
    const error = errors.get(request)
    if (error && reply.statusCode === 500) add(errorLine(request, error, time))
  })
}
