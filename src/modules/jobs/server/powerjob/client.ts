import { createHash } from 'node:crypto'
import { guardedFetch, HostUnreachable } from '../../../../platform/channels/outside/guarded-fetch.ts'
import { addressesOf, inOrder } from './addresses.ts'
import { isMissing, ServerRefusal, ServerUnreachable, WrongPassword } from './errors.ts'
import { type RemoteJob, remoteJobOf } from './mapping.ts'
import { type Answer, idOf, listOf, objectOf, readAnswer } from './read-answer.ts'

/** Milliseconds until a server is connected, and until a call is answered, with everything that belongs to it. */
const times = { connect: 2000, call: 5000 }

/** Bytes of an answer: some ten thousand jobs. */
const longestAnswer = 16 * 1024 * 1024

/** Runs of one page. */
const pageSize = 100

/** A generation of PowerJob: they sign in differently, and the older one does not list runs. */
export type Generation = 4 | 5

/** A PowerJob server as it is registered here. */
export interface Connection {
  /** Its addresses, comma separated. */
  readonly url: string
  readonly appName: string
  readonly password: string
  /** Hosts that may be asked. */
  readonly isListed: (host: string, port: string) => boolean
}

/** What signing in has told. */
export interface Signed {
  readonly generation: Generation
  readonly appId: string
  /** Null where calls need none. */
  readonly token: string | null
}

/**
 * What is remembered of a server between calls, only to save time: how it was signed in to, and at which of its addresses it
 * answered last.
 */
export interface Session {
  signed?: Signed | undefined
  lastGood?: string
}

/** What is asked of a server in one call. */
interface Call {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly as: 'json' | 'form'
  /** Doing it twice would do more than once: it is sent to one address only. */
  readonly once?: true
}

/** What came back, unread. */
interface Reply {
  readonly ok: boolean
  readonly answer: Answer | null
  readonly headers: Headers
}

/** Whole milliseconds that are left until a call has to be answered. */
type Remaining = () => number

const passed = 'x-powerjob-auth-passed'

/** Codes of version 5 that say that the application or its password is wrong. */
const signInCodes: ReadonlySet<string> = new Set(['-400', '-402'])

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** The body of a call as it is sent: fields without a value are not. */
function sentOf({ body, as }: Call): string {
  if (as === 'json') return JSON.stringify(body)
  const pairs = Object.entries(body).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(pairs).toString()
}

/** How calls of one server are made. */
class Line {
  readonly #connection: Connection
  readonly #session: Session

  constructor(connection: Connection, session: Session) {
    this.#connection = connection
    this.#session = session
  }

  /**
   * Sends a call to the addresses one after the other, the one that answered last first.
   * @throws ServerUnreachable when none of them answers in time
   */
  async send(call: Call, headers: Readonly<Record<string, string>>, remaining: Remaining): Promise<Reply> {
    const { url, isListed } = this.#connection
    const addresses = inOrder(addressesOf(url), this.#session.lastGood)
    const type = call.as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
    let last: unknown
    for (const [at, address] of addresses.entries()) {
      // Each address gets its part of the time, so that one that hangs leaves some to the others.
      const time = Math.floor(remaining() / (addresses.length - at))
      if (time <= 0) break
      try {
        const reply = await guardedFetch(isListed)(`${address}/openApi/${call.name}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': type, accept: 'application/json' },
          body: sentOf(call),
          time,
          connectTime: Math.min(times.connect, time),
          size: longestAnswer,
        })
        this.#session.lastGood = address
        return { ok: reply.status === 200, answer: readAnswer(await reply.text()), headers: reply.headers }
      } catch (error) {
        if (!(error instanceof HostUnreachable)) throw error
        last = error
        if (call.once && !error.isUnsent) break
      }
    }
    throw new ServerUnreachable(last instanceof Error ? last.message : 'no answer in time', { cause: last })
  }

  /** Signs in and remembers it. @throws ServerUnreachable, WrongPassword */
  async signIn(remaining: Remaining): Promise<Signed> {
    this.#session.signed = undefined
    const signed = (await this.#signInNewer(remaining)) ?? (await this.#signInOlder(remaining))
    this.#session.signed = signed
    return signed
  }

  /** How the server was signed in to before, or a new sign-in. */
  async signed(remaining: Remaining): Promise<Signed> {
    return this.#session.signed ?? this.signIn(remaining)
  }

  /**
   * Signs in as version 5 wants it; null where the server does not know of it. Version 4 answers an address that it does not have
   * with a refusal like any other, which has no code.
   */
  async #signInNewer(remaining: Remaining): Promise<Signed | null> {
    const { appName, password } = this.#connection
    const body = { appName, encryptedPassword: md5(password), encryptType: 'md5' }
    const { ok, answer } = await this.send({ name: 'authApp', as: 'json', body }, {}, remaining)
    if (!ok || !answer) return null
    const { appId, token } = objectOf(answer.data)
    if (answer.success) {
      if (appId === undefined || appId === null) return null
      return { generation: 5, appId: idOf(appId), token: typeof token === 'string' ? token : null }
    }
    if (answer.code === null || !signInCodes.has(answer.code)) return null
    throw new WrongPassword(answer.message)
  }

  async #signInOlder(remaining: Remaining): Promise<Signed> {
    const { appName, password } = this.#connection
    const { ok, answer } = await this.send({ name: 'assert', as: 'form', body: { appName, password } }, {}, remaining)
    if (!ok || !answer) throw new ServerUnreachable('whoever answers is no PowerJob server')
    if (!answer.success) throw new WrongPassword(answer.message)
    return { generation: 4, appId: idOf(answer.data), token: null }
  }
}

const withToken = ({ appId, token }: Signed): Record<string, string> =>
  token === null ? {} : { 'x-powerjob-app-id': appId, 'x-powerjob-access-token': token }

/** The data of an answer. @throws ServerUnreachable, ServerRefusal */
function dataOf({ ok, answer }: Reply): unknown {
  if (!ok || !answer) throw new ServerUnreachable('the answer is none of PowerJob')
  if (!answer.success) throw new ServerRefusal(answer.message)
  return answer.data
}

const remainingOf = (milliseconds: number): Remaining => {
  const end = performance.now() + milliseconds
  return () => Math.floor(end - performance.now())
}

/** A run as a PowerJob server has it. */
export type RemoteRun = Readonly<Record<string, unknown>>

/** Runs that a server has, and whether there are more. */
export interface RunPage {
  readonly runs: readonly RemoteRun[]
  readonly isLast: boolean
}

/**
 * Calls of a PowerJob server. Each takes five seconds at most and throws ServerUnreachable when nobody answers, WrongPassword when
 * the application is refused, and ServerRefusal with the server's words for everything else that is refused.
 */
export interface PowerJob {
  /** Signs in anew, whatever is remembered. */
  signIn(): Promise<Signed>
  /** Which generation the server is, signing in where that is not known. */
  generation(): Promise<Generation>
  /** All jobs of the application, deleted ones among them. */
  jobs(): Promise<RemoteJob[]>
  /** A job by its id; null for one that was never there. */
  job(jobId: string): Promise<RemoteJob | null>
  /** The job with a mark that is not deleted; null when there is none. */
  jobByTag(tag: string): Promise<RemoteJob | null>
  /** Saves a job as a whole. @returns its id */
  save(request: Readonly<Record<string, unknown>>): Promise<string>
  enable(jobId: string, isOn: boolean): Promise<void>
  remove(jobId: string): Promise<void>
  /** Begins a run, also of a job that is switched off. @returns the id of the run */
  run(jobId: string, params: string | null): Promise<string>
  /** A run by its id; null for one that is not known any more. */
  instance(instanceId: string): Promise<RemoteRun | null>
  /** Runs that have changed since, a page from 0 on, by their id; version 5 only. */
  instances(since: Date, page: number): Promise<RunPage>
}

/**
 * Calls of a PowerJob server.
 * @param session what is remembered of it; a new object begins anew
 */
export function powerJob(connection: Connection, session: Session): PowerJob {
  const line = new Line(connection, session)

  /** Makes a call with the id of the application; a token that has expired is renewed once. */
  async function ask(call: (signed: Signed) => Call): Promise<unknown> {
    const remaining = remainingOf(times.call)
    const send = (signed: Signed) => line.send(call(signed), withToken(signed), remaining)
    const reply = await send(await line.signed(remaining))
    // A server that looks at no token says nothing of it, or that it has passed.
    if (reply.headers.get(passed) !== 'false') return dataOf(reply)
    const again = await send(await line.signIn(remaining))
    if (again.headers.get(passed) === 'false') throw new WrongPassword(again.answer?.message || 'the token is refused')
    return dataOf(again)
  }

  const form = (name: string, body: Readonly<Record<string, unknown>>, more: Pick<Call, 'once'> = {}) =>
    ask(({ appId }) => ({ name, as: 'form', body: { ...body, appId }, ...more }))

  const orNull = async <T>(asked: Promise<T>): Promise<T | null> => {
    try {
      return await asked
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  return {
    signIn: () => line.signIn(remainingOf(times.call)),
    generation: async () => (await line.signed(remainingOf(times.call))).generation,
    jobs: async () => listOf(await form('fetchAllJob', {})).map(remoteJobOf),
    job: async jobId => {
      const found = await orNull(form('fetchJob', { jobId }))
      return found === null ? null : remoteJobOf(objectOf(found))
    },
    jobByTag: async tag => {
      const body = ({ appId }: Signed) => ({ appIdEq: Number(appId), tagEq: tag })
      const found = await ask(signed => ({ name: 'queryJob', as: 'json', body: body(signed) }))
      const jobs = listOf(found).map(remoteJobOf)
      return jobs.find(one => one.tag === tag && !one.isDeleted) ?? null
    },
    save: async request => {
      const body = ({ appId }: Signed) => ({ ...request, appId: Number(appId) })
      const once = request.id === undefined ? ({ once: true } as const) : {}
      return idOf(await ask(signed => ({ name: 'saveJob', as: 'json', body: body(signed), ...once })))
    },
    enable: async (jobId, isOn) => void (await form(isOn ? 'enableJob' : 'disableJob', { jobId })),
    remove: async jobId => void (await orNull(form('deleteJob', { jobId }))),
    run: async (jobId, params) => idOf(await form('runJob', { jobId, instanceParams: params }, { once: true })),
    instance: async instanceId => {
      const found = await orNull(form('fetchInstanceInfo', { instanceId }))
      return found === null ? null : objectOf(found)
    },
    instances: async (since, page) => {
      const body = ({ appId }: Signed) => ({
        appIdEq: Number(appId),
        gmtModifiedGt: since.getTime(),
        index: page,
        pageSize,
        sortBy: 'id',
        asc: true,
      })
      const found = objectOf(await ask(signed => ({ name: 'queryInstance', as: 'json', body: body(signed) })))
      return { runs: listOf(found.data), isLast: page + 1 >= Number(found.totalPages ?? 0) }
    },
  }
}
