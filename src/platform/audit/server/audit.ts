import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { AuditOutcome, UserType } from '#schemas/dictionaries'
import { batchQueries } from '../../database/batch-queries.ts'
import type { Trx } from '../../database/database.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { apart, isInRequest } from '../../database/request-transaction.ts'
import { askedTenant } from '../../http/server/asked-tenant.ts'
import { refusalInstead } from '../../http/server/envelope.ts'
import { columnText, masked, paramsOf } from '../../http/server/log-params.ts'
import { refusalCode } from '../../http/server/refusal.ts'
import {
  type AuditEntry,
  type AuditState,
  appendAudit,
  auditWriter,
  cutAudit,
  type ErasedRows,
  erasable,
  verifyAudit,
} from './audit-chain.ts'
import { type AuditEvent, auditEventOf } from './audited.ts'
import { watchReveals } from './reveal-alarm.ts'

/** What happened, for the audit log. What is not said is taken from the request. */
export interface AuditNote {
  event: AuditEvent
  /** 1 done, 2 failed, 3 refused. */
  outcome: 1 | 2 | 3
  userId?: string | null
  tenantId?: string
  targetType?: string
  targetId?: string
  /** Masked before it is kept. */
  detail?: Record<string, unknown>
}

/** The security log of an installation: entries can be added and compared, nothing else. */
export interface Audit {
  /**
   * Adds an entry. The calls of `audited.ts` are noted by themselves; this is for what no call shows.
   * @param trx the transaction of the business, so that both happen or neither; it should end soon after
   */
  note(request: FastifyRequest, note: AuditNote, trx?: Trx): Promise<void>
  /** Adds the entry of a call that is done, if it counts as an event, to the transaction of its work. */
  noteDone(request: FastifyRequest, status: number, answer: unknown): Promise<void>
  /** Adds an entry for what a program of this machine has done, without a caller. */
  local(note: AuditNote & { tenantId: string }, trx: Trx): Promise<void>
  /**
   * Adds an entry that says which rows lose their content in this transaction, and takes that of the log's own entries among them.
   * Rows of other chains refer to the entry by its number. Entries that were written before there were salts keep their content.
   * @param erased rows by the name of their entity, at most some hundred: they are kept as they are
   * @returns the number of the entry
   */
  erase(
    trx: Trx,
    why: Pick<AuditEntry, 'tenantId' | 'userId' | 'targetType' | 'targetId'>,
    erased: ErasedRows,
  ): Promise<number>
  /**
   * Notes, behind the answer, that somebody who is signed in asked for rows of others; of one person twenty a minute at
   * most.
   */
  denied(request: FastifyRequest, status: number, target?: Pick<AuditNote, 'targetType' | 'targetId'>): void
  /** Computes the chain of a tenant again and compares. @throws the reason of the signal */
  verify(tenantId: string, signal?: AbortSignal): Promise<AuditState>
}

declare module 'fastify' {
  interface FastifyInstance {
    audit: Audit
  }
  interface FastifyContextConfig {
    /** Set by itself: the use of this call is noted in the audit log. */
    audit?: AuditEvent
  }
}

type Around = Pick<FastifyRequest, 'person' | 'ip' | 'headers'>

function entryOf(request: Around, note: AuditNote, time: Date): AuditEntry {
  const { person } = request
  return {
    event: note.event,
    outcome: note.outcome,
    tenantId: note.tenantId ?? person?.tenantId ?? firstTenant,
    userId: note.userId ?? person?.userId ?? null,
    targetType: columnText(note.targetType, 50),
    targetId: columnText(note.targetId, 64),
    ip: request.ip,
    userAgent: columnText(request.headers['user-agent'], 255),
    detail: masked(note.detail ?? {}) as Record<string, unknown>,
    time,
  }
}

/** Names under which calls say what they are about, the first found counts. */
const targets = [
  'ids',
  'id',
  'userIds',
  'roleIds',
  'topMenuIds',
  'signUpId',
  'signupId',
  'ticketIds',
  'examId',
  'itemId',
]

function targetOf(params: Record<string, unknown>): string | undefined {
  const name = targets.find(one => params[one] !== undefined && params[one] !== '')
  return name && [params[name]].flat().join(',')
}

type Answer = Record<string, unknown>

/** The answer of a call, where it is JSON of a readable size. */
function answerOf(payload: unknown): Answer {
  if (typeof payload !== 'string' || payload.length > 20_000 || !payload.startsWith('{')) return {}
  return JSON.parse(payload) as Answer
}

/** The tenant that somebody without a session named, if there is one of that number. */
async function tenantTried(app: FastifyInstance, request: FastifyRequest): Promise<string> {
  // Nobody is signed in, so there is no tenant yet whose rows are meant.
  const found = await app.db
    .selectFrom('tenant')
    .select('tenantId')
    .where('tenantId', '=', askedTenant(request))
    .executeTakeFirst()
  return found?.tenantId ?? firstTenant
}

const outcomeOf = (status: number) => (status < 400 ? 1 : status === 403 ? 3 : 2)

/** The note of an answered call. */
function noteOf(event: AuditEvent, request: FastifyRequest, status: number, answer: Answer): AuditNote {
  const params = paramsOf(request)
  const url = request.routeOptions.url ?? ''
  const refused = status < 400 ? {} : { code: answer.code ?? answer.error_code, msg: answer.msg }
  const fixed = {
    outcome: outcomeOf(status),
    detail: { call: `${request.method} ${url}`, ...refused, params },
  } as const
  if (event !== 'login') {
    return { ...fixed, event, targetType: url.split('/').at(-2), targetId: targetOf(params) }
  }
  const account = (request.query as Answer).username ?? (request.body as Answer | undefined)?.username
  const who = { account: String(account ?? '').slice(0, 100), msg: answer.error_description }
  if (status >= 400) return { ...fixed, event: 'loginFail', detail: who }
  // A guest of a third-party login has no account yet.
  return {
    ...fixed,
    event,
    userId: String(answer.user_id ?? '') || null,
    tenantId: String(answer.tenant_id),
    detail: who,
  }
}

/**
 * Whether a call is no event: nobody knows who, a session that only goes on, a login that waits or of which half is done, or a candidate who
 * downloads the own papers.
 */
function isNothing(event: AuditEvent, request: FastifyRequest, answer: Answer): boolean {
  if (event === 'export' && request.person?.userType === UserType.candidate) return true
  if (event !== 'login') return request.person === null
  const { query, body } = request
  const grant = (query as Answer).grant_type ?? (body as Answer | undefined)?.grant_type
  const isUndecided = [refusalCode('auth.secondFactorRequired'), refusalCode('auth.queued')] as readonly unknown[]
  return grant === 'refresh_token' || isUndecided.includes(answer.error_code)
}

/**
 * Keeps the security log. A call that counts as an event is noted in the transaction of what it does; one that only reads,
 * reaches beyond the database or is refused, before its answer leaves. Without its entry nothing is done, or nobody is told.
 */
export default fp(
  async app => {
    const keyed = (text: string) => app.vault.hash('auditlog', text)
    const write = async (entries: readonly AuditEntry[]): Promise<void> => {
      await app.db.transaction().execute(own => appendAudit(own, keyed, entries))
    }
    const writeTogether = togetherByTenant(auditWriter(app.db, keyed))
    const append = (entry: AuditEntry, trx?: Trx) => {
      if (trx) return appendAudit(trx, keyed, [entry]).then(() => {})
      // What belongs to a request that changes something is kept or undone with it.
      return isInRequest() ? write([entry]) : writeTogether(entry)
    }
    app.decorate('audit', {
      note: async (request, note, trx) => {
        await append(entryOf(request, note, app.now()), trx)
        if (note.event === 'reveal' && note.outcome === AuditOutcome.success) await watchReveals(request)
      },
      local: (note, trx) => append(entryOf({ person: null, ip: 'local', headers: {} }, note, app.now()), trx),
      erase: async (trx, why, erased) => {
        const own = await erasable(trx, why.tenantId, (erased.auditlog ?? []).map(Number))
        const named = erased.auditlog ? { ...erased, auditlog: own } : erased
        const around = { ip: 'local', userAgent: null, time: app.now() }
        const entry = {
          ...why,
          ...around,
          event: 'purge',
          outcome: AuditOutcome.success,
          detail: { erased: named },
        } as const
        const seq = await appendAudit(trx, keyed, [entry])
        await cutAudit(trx, why.tenantId, own, seq)
        return seq
      },
      noteDone: async (request, status, answer) => {
        const event = request.routeOptions.config.audit
        const told = (typeof answer === 'object' && answer !== null ? answer : {}) as Answer
        if (!event || isNothing(event, request, told)) return
        noted.add(request)
        await app.audit.note(request, noteOf(event, request, status, told))
      },
      verify: (tenantId, signal) => verifyAudit(app.db, keyed, tenantId, signal),
      denied: followDenied(app),
    })
    app.addHook('onRoute', route => {
      const event = auditEventOf(String(route.method), route.url)
      if (!event) return
      route.config = { ...route.config, audit: event }
      noteAnswers(app, route, event)
    })
  },
  { name: 'audit', dependencies: ['vault', 'behind-answers'] },
)

/**
 * Writes entries of one tenant that come at the same moment with one transaction: they wait for one another anyway. When one of them
 * is such as cannot be kept, each is written by itself, so that it takes no other with it.
 */
function togetherByTenant(write: (entries: readonly AuditEntry[]) => Promise<void>) {
  const alone = (entry: AuditEntry) =>
    write([entry]).then(
      () => null,
      (error: unknown) => ({ error }),
    )
  const together = batchQueries<AuditEntry, { error: unknown } | null>(
    async entries => {
      if (entries.length === 1) return [await alone(entries[0]!)]
      try {
        await write(entries)
        return entries.map(() => null)
      } catch (error) {
        // After anything else they may be there, or would each wait as long again.
        if (!/^2[23]/.test((error as { code?: string }).code ?? '')) return entries.map(() => ({ error }))
        const outcomes = []
        for (const entry of entries) outcomes.push(await alone(entry))
        return outcomes
      }
    },
    entry => entry.tenantId,
  )
  return async (entry: AuditEntry): Promise<void> => {
    const failure = await together(entry)
    if (failure) throw failure.error
  }
}

/** Denials of one person that are noted in a minute; more of them say nothing new, and are in the log of calls. */
const mostDenied = 20

/** Follows what is denied, whatever the call. @returns how more of it is noted */
function followDenied(app: FastifyInstance): Audit['denied'] {
  let since = 0
  let counts = new Map<string, number>()
  const isNoted = (userId: string): boolean => {
    const now = app.now().getTime()
    if (Math.abs(now - since) > 60_000) [since, counts] = [now, new Map()]
    const count = (counts.get(userId) ?? 0) + 1
    counts.set(userId, count)
    return count <= mostDenied
  }
  const denied: Audit['denied'] = (request, status, target) => {
    if (!request.person || !isNoted(request.person.userId)) return
    const note: AuditNote = { ...noteOf('denied', request, status, {}), outcome: AuditOutcome.denied, ...target }
    app.behindAnswers.begin(() =>
      app.audit.note(request, note).catch(err => request.log.error({ err, note: masked(note) }, 'audit lost')),
    )
  }
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode === 403 && !request.routeOptions.config.audit) denied(request, 403)
  })
  return denied
}

/** Calls whose entry stands in the transaction of their work, and those whose entry could not be made. */
const noted = new WeakSet<FastifyRequest>()
const failed = new WeakSet<FastifyRequest>()

function noteAnswers(app: FastifyInstance, route: RouteOptions, event: AuditEvent): void {
  const onSend = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const answer = answerOf(payload)
    const isKnown = noted.has(request) && reply.statusCode < 400
    if (isKnown || failed.has(request) || request.isRepeated || isNothing(event, request, answer)) return payload
    const note = noteOf(event, request, reply.statusCode, answer)
    try {
      await apart(async () => {
        const tenantId = note.tenantId ?? request.person?.tenantId ?? (await tenantTried(app, request))
        await app.audit.note(request, { ...note, tenantId })
      })
    } catch (error) {
      // Nobody gets what could not be noted; the answer in its place is not noted either.
      failed.add(request)
      request.log.error({ err: error, note: masked(note) }, 'audit lost')
      if (payload instanceof Readable) payload.destroy()
      if (reply.statusCode >= 400) return refusalInstead(reply, error)
      throw error
    }
    return payload
  }
  route.onSend = [...[route.onSend ?? []].flat(), onSend]
}
