import axios, { AxiosError, type AxiosProgressEvent, type AxiosRequestConfig, type AxiosResponse } from 'axios'
import { t } from '../../i18n/i18n.ts'
import { refreshToken } from '../contract.ts'
import { isKeyless } from '../rules/keyless.ts'
import { hear, hearOther, isMissing, isOtherServer, MISSING } from './absent.ts'
import { hearTime } from './clock.ts'
import { session, TOKEN_TIME, type TokenAnswer } from './session.ts'
import { isAttended } from './user-activity.ts'

/** What only one tab does at a time. It is loaded when a token is renewed: most pages are left before. Where it cannot be loaded, all may. */
export const oneTab = async <T>(name: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> => {
  const apart = await import('./one-tab.ts').catch(() => undefined)
  return apart ? apart.oneTab(name, work) : work(false)
}

/** Milliseconds after which a call is given up. */
const TIMEOUT = 60_000
/** Milliseconds between two looks at the token's age. */
const LOOK = 10_000
/** Milliseconds in which the same refusal is shown only once. */
const SAME = 1500
const BASIC = `Basic ${btoa('juxian-web:')}`
/** The server's code for a token that is just being renewed by another call. */
const ANOTHER_FIRST = REFUSAL.input.repeated
/** The server's code for an error of its own. */
const FAULT = 500
const DEFAULT_MESSAGE = '系统错误'
/** The status of a server that cannot do its work at the moment; it may say when to ask again. */
const UNAVAILABLE = 503
/** Tenths of a second in which what another tab has written is read here, also while the machine is busy. */
const OTHER_WRITES = 30
/** Header of answers that come from another server than ours. */
const OTHER_SERVER = 'x-other-server'
/** The status of a call whose first try is still under way, when it says when to ask again. */
const UNDER_WAY = 409
/** Milliseconds in which a call is repeated: longer than a standby of the database takes to become the primary. */
const PATIENCE = 40_000
/** Milliseconds between two tries, at least. */
const LEAST_PAUSE = 1000
/** Milliseconds before a server that was not reached is tried again. */
const UNREACHED_PAUSE = 2000
/** By how many times of itself a pause is lengthened at most, so that pages that were refused together do not come back together. */
const MOST_SPREAD = 3

/** What the server answers: the usual envelope, or the token call's own shape. */
export interface Envelope<T = unknown> {
  code?: number
  success?: boolean
  data?: T
  msg?: string
  error_code?: number
  error_description?: string
}

/** What a call may say beyond its method and path. */
export interface CallOptions {
  params?: Record<string, unknown>
  /** A plain object is sent as JSON, FormData as multipart, URLSearchParams as a form. */
  data?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Milliseconds; 60000 unless told. */
  timeout?: number
  /** Codes that come to the caller without a message; still thrown as `ApiError`. */
  pass?: readonly number[] | 'all'
  /**
   * Idempotency-Key: one per form that is filled, not one per click. What has none gets one of its own, which holds for
   * whatever is sent again by itself.
   */
  key?: string
  /** Called with 0 to 100 while the body is sent. */
  onProgress?: (percent: number) => void
  /** Milliseconds in which it is repeated while the server is away; 40000 unless told, 0 for whoever tries again by itself. */
  patience?: number
}

/** A refusal of the server. Its message has been shown unless the caller passed its code. */
export class ApiError extends Error {
  readonly code: number
  readonly data: unknown
  readonly body: Envelope
  constructor(code: number, message: string, body: Envelope) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.data = body.data
    this.body = body
  }
}

/** What the chrome shows of the traffic. Each handler is set once, at start. */
export const traffic = {
  /** A refusal to show. */
  refused: (_message: string): void => {},
  /** Something was to be done that the connected server does not have. */
  missing: (): void => {},
  /**
   * The session is over: the person must sign in again. Called once. Where that is possible without leaving the
   * page, the promise resolves after the sign-in, and what was interrupted continues.
   */
  ended: (): undefined | Promise<unknown> => undefined,
  /** A call that failed without being refused, and which: the server is out of reach, or has met an error of its own. */
  failed: (_error: Error, _call: string): void => {},
  /** How many calls are under way. */
  busy: (_count: number): void => {},
}

const client = axios.create({
  baseURL: '/api',
  timeout: TIMEOUT,
  validateStatus: status => status >= 200 && status <= 500,
})

let running = 0
let renewing: Promise<boolean> | undefined
let ending: Promise<boolean> | undefined
let last = { text: '', at: 0 }

/** A new Idempotency-Key. Works without a secure context too, where `crypto.randomUUID` is missing. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** True while a message that http has just shown would be shown a second time. */
export function wasShown(text: string | undefined): boolean {
  return text !== undefined && text === last.text && Date.now() - last.at < SAME
}

function show(text: string): void {
  if (wasShown(text)) return
  last = { text, at: Date.now() }
  traffic.refused(text)
}

function headersOf(options: CallOptions): Record<string, string> {
  const token = session.token()
  return {
    Authorization: BASIC,
    'Blade-Requested-With': 'BladeHttpRequest',
    // The language of the page, not of the browser: refusals come in it.
    'Accept-Language': document.documentElement.lang || 'zh-CN',
    ...(token && { 'Blade-Auth': `bearer ${token}` }),
    ...(!isAttended() && { 'X-Unattended': '1' }),
    ...(options.key && { 'Idempotency-Key': options.key }),
    ...options.headers,
  }
}

/** What the server has answered to a call that failed. */
const answerTo = (error: unknown): AxiosResponse<unknown> | undefined =>
  axios.isAxiosError<unknown>(error) ? error.response : undefined

const nameOf = ({ method, url }: AxiosRequestConfig): string => `${method} ${url}`

/** Calls that may have changed something, so far: what was read before the last of them may be out of date. */
let writes = 0
/** Event of the window: a call did not reach the server. */
export const UNREACHED = 'unreached'

let waiting = 0
/** Event of the window: calls wait for a server that is away for a moment, or do not any more. */
export const WAITING = 'waiting'

/** Whether calls wait to be repeated. */
export const isWaiting = (): boolean => waiting > 0

function wait(more: 1 | -1): void {
  waiting += more
  dispatchEvent(new Event(WAITING))
}

/** How many calls that may change something this page has sent or got the answer of. */
export const writesSoFar = (): number => writes

async function exchange(config: AxiosRequestConfig, options: CallOptions): Promise<AxiosResponse<unknown>> {
  const isWrite = config.method !== 'GET'
  if (isWrite) writes++
  try {
    const response = await client.request<unknown>({ ...config, headers: headersOf(options) })
    hearTime(response.headers.date)
    if (response.headers[OTHER_SERVER]) hearOther()
    return response
  } catch (error) {
    const response = answerTo(error)
    if (response?.headers[OTHER_SERVER]) hearOther()
    if (!response && error instanceof Error && !axios.isCancel(error)) dispatchEvent(new Event(UNREACHED))
    throw error
  } finally {
    if (isWrite) writes++
  }
}

/** The body as an envelope; a blob that holds a refusal is read first. */
async function envelopeOf(response: AxiosResponse<unknown>): Promise<Envelope> {
  const { data } = response
  if (data instanceof Blob) return data.type.includes('json') ? parse(await data.text()) : {}
  return typeof data === 'object' && data !== null ? (data as Envelope) : {}
}

function parse(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return {}
  }
}

/** The status that counts: error_code, else code, else that of HTTP. */
export function statusOf(body: Envelope, http: number): number {
  return Number(body.error_code || body.code || http)
}

/** Looks whether another tab has kept a newer token, which may still be on its way. @param times tenths of a second */
async function waitForOther(used: string, times: number): Promise<boolean> {
  for (let left = times; left > 0 && session.token() === used; left--) await new Promise(done => setTimeout(done, 100))
  return session.token() !== used
}

/** What came of asking for a new token: it is kept, another tab has one already, or the server refuses. */
export type Renewal = 'kept' | 'other' | 'refused'

/** Asks for a new token. @param extra what it is to be for beside the person */
export async function askNewToken(extra: Record<string, string> = {}): Promise<Renewal> {
  const who = session.get()
  const used = session.token()
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    scope: 'all',
    refresh_token: session.refreshToken(),
    tenantId: who?.tenant_id ?? '000000',
    ...extra,
  })
  const headers = { 'Tenant-Id': who?.tenant_id ?? '000000' }
  const config = { method: refreshToken.method, url: refreshToken.path, data: form }
  const response = await patientExchange(config, { headers, pass: 'all' })
  const body = (await envelopeOf(response)) as Envelope & Partial<TokenAnswer>
  if (body.access_token && body.refresh_token) {
    session.open(body as TokenAnswer)
    return 'kept'
  }
  const isLate = statusOf(body, response.status) === ANOTHER_FIRST
  return (await waitForOther(used, isLate ? 20 : 0)) && session.token() ? 'other' : 'refused'
}

/**
 * A new token in place of `used`. Any number of calls, in any number of tabs, share one renewal: whoever comes
 * later finds the token changed. False when the server refuses; a transport error is thrown, for it is no refusal.
 */
async function renew(used: string): Promise<boolean> {
  const work = async (hasWaited: boolean): Promise<boolean> => {
    if (hasWaited) await waitForOther(used, OTHER_WRITES)
    if (session.token() !== used) return session.token() !== ''
    // Where the access token is gone, the session is: what is left of it is no reason to begin it again.
    return session.token() !== '' && session.refreshToken() !== '' && (await askNewToken()) !== 'refused'
  }
  renewing ??= oneTab('juxian-refresh', work).finally(() => {
    renewing = undefined
  })
  return renewing
}

/** Ends the session, once. True when the person has signed in again and what was interrupted can be repeated. */
function end(): Promise<boolean> {
  ending ??= askAgain()
  return ending
}

async function askAgain(): Promise<boolean> {
  const again = traffic.ended()
  if (!again) {
    session.expire()
    return false
  }
  await again
  ending = undefined
  return true
}

/** Milliseconds after which a server that is unavailable wants to be asked again; NaN when it does not say. */
function pauseOf({ headers }: AxiosResponse<unknown>): number {
  const told = String(headers['retry-after'] ?? '')
  const time = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now()
  return Math.max(0, time)
}

/** Waits, or less where the call is given up meanwhile. */
const pause = (time: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise(done => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, time)
    signal?.addEventListener('abort', end)
  })

/** A try that came to nothing for the moment. */
interface Missed {
  /** What whoever called is told if it stays so. */
  error: unknown
  /** Milliseconds after which the server wants to be asked again. */
  pause: number
}

/** What became of a try: undefined when trying again is of no use. */
function missedBy(error: unknown): Missed | undefined {
  const response = answerTo(error)
  const isUnreached = axios.isAxiosError(error) && error.code === AxiosError.ERR_NETWORK && navigator.onLine
  const time = response?.status === UNAVAILABLE ? pauseOf(response) : isUnreached ? UNREACHED_PAUSE : Number.NaN
  return Number.isNaN(time) ? undefined : { error, pause: time }
}

/**
 * Whether a call may be sent once more: it only reads, or its key lets the server do it once. What nobody knows to have arrived is not sent
 * again when it holds files, whose bytes cost time and money, or brings one, which is not kept as an answer.
 */
function isRepeatable({ method, url = '', data, responseType }: AxiosRequestConfig, key: unknown, error: unknown) {
  if (method === 'GET') return true
  if (!key || isKeyless(url) || isOtherServer()) return false
  return answerTo(error) !== undefined || !(data instanceof FormData || responseType === 'blob')
}

/** One try; after one whose answer was lost, also what says that the first is still under way is none. */
async function tryOnce(
  config: AxiosRequestConfig,
  options: CallOptions,
  before: Missed | undefined,
): Promise<AxiosResponse<unknown> | Missed> {
  try {
    const response = await exchange(config, options)
    const time = before && response.status === UNDER_WAY ? pauseOf(response) : Number.NaN
    return before && !Number.isNaN(time) ? { ...before, pause: time } : response
  } catch (error) {
    const missed = missedBy(error)
    if (!missed) throw error
    return missed
  }
}

/** Tries until the server answers. @throws what the last try came to when the time is over, or it may not be sent again */
async function trying(config: AxiosRequestConfig, options: CallOptions): Promise<AxiosResponse<unknown>> {
  const until = Date.now() + (options.patience ?? PATIENCE)
  const person = session.get()?.user_id
  let missed: Missed | undefined
  try {
    for (let tries = 1; ; tries++) {
      const outcome = await tryOnce(config, options, missed)
      if (!('error' in outcome)) return outcome
      const time = Math.max(outcome.pause, LEAST_PAUSE) * (1 + Math.random() * Math.min(tries, MOST_SPREAD))
      if (Date.now() + time > until || !isRepeatable(config, options.key, outcome.error)) throw outcome.error
      if (!missed) wait(1)
      missed = outcome
      await pause(time, options.signal)
      // What somebody wrote is not sent by whoever has signed in meanwhile.
      if (session.get()?.user_id !== person) throw outcome.error
    }
  } finally {
    if (missed) wait(-1)
  }
}

/**
 * An exchange with a server that may be away for a moment, as while another host of its database becomes the primary: it is repeated with
 * the same key when the server says, for as long as that may take. The person is told why when it has come to nothing.
 */
async function patientExchange(config: AxiosRequestConfig, options: CallOptions): Promise<AxiosResponse<unknown>> {
  traffic.busy(++running)
  try {
    return await trying(config, options)
  } catch (error) {
    const response = answerTo(error)
    if (response && options.pass !== 'all' && missedBy(error))
      show((await envelopeOf(response)).msg || t('系统繁忙，请稍后再试'))
    if (error instanceof Error && !axios.isCancel(error)) traffic.failed(error, nameOf(config))
    throw error
  } finally {
    traffic.busy(--running)
  }
}

async function answered(config: AxiosRequestConfig, options: CallOptions): Promise<[AxiosResponse<unknown>, Envelope]> {
  const used = session.token()
  const response = await patientExchange(config, options)
  const body = await envelopeOf(response)
  if (statusOf(body, response.status) !== 401) return [response, body]
  if (await renew(used)) {
    const again = await patientExchange(config, options)
    const second = await envelopeOf(again)
    if (statusOf(second, again.status) !== 401) return [again, second]
  }
  // Nothing has been done for a call without a session: it is sent again as it was.
  if (await end()) return answered(config, options)
  throw new ApiError(401, body.msg || DEFAULT_MESSAGE, body)
}

/** A page for people where data should be: from a proxy, or from a server that is none of ours. */
function isPage({ data, headers }: AxiosResponse<unknown>): boolean {
  const type = data instanceof Blob ? data.type : String(headers['content-type'] ?? '')
  return /^text\/html\b/i.test(type)
}

function refuse(code: number, body: Envelope, options: CallOptions): ApiError {
  const text = body.msg || body.error_description || DEFAULT_MESSAGE
  // That is no refusal: the page says it where it stands.
  if (isMissing(body)) return new ApiError(code, '所连接的系统没有此功能', body)
  if (options.pass !== 'all' && !options.pass?.includes(code)) show(text)
  return new ApiError(code, text, body)
}

/**
 * One exchange with everything that goes with it: token, renewal, messages. `call` and the file transfers stand on it.
 * @throws ApiError for a refusal (its message has been shown), AxiosError when the server cannot be reached (in silence) or
 *   says that it is unavailable and for how long (that has been shown).
 */
export async function send(
  config: AxiosRequestConfig,
  given: CallOptions,
): Promise<[AxiosResponse<unknown>, Envelope]> {
  const options = config.method === 'GET' || given.key ? given : { ...given, key: newKey() }
  const { params, data, signal, timeout, onProgress } = options
  const onUploadProgress =
    onProgress && ((event: AxiosProgressEvent) => onProgress(Math.round((event.progress ?? 0) * 100)))
  const page = location.pathname
  const [response, body] = await answered({ params, data, signal, timeout, onUploadProgress, ...config }, options)
  const status = statusOf(body, response.status)
  const code = status === 200 && isPage(response) ? FAULT : status
  const isRead = config.method === 'GET'
  // The server says that it does not have this address; a proxy without words says nothing of the kind.
  const isAbsent = isMissing(body)
  const isOwnMatter = options.pass === 'all' || (isAbsent && options.pass?.includes(MISSING))
  if (isRead && !isOwnMatter) hear(page, !isAbsent)
  if (code === 200) return [response, body]
  if (isAbsent && !isRead && !isOwnMatter) traffic.missing()
  const refusal = refuse(code, body, options)
  if (code === FAULT) traffic.failed(refusal, nameOf(config))
  throw refusal
}

/**
 * One call. `path` is without `/api`. Answers the envelope's data, or the whole body where there is no envelope.
 * @throws as `send`.
 */
export async function call<T>(method: 'GET' | 'POST', path: string, options: CallOptions = {}): Promise<T> {
  const [response, body] = await send({ method, url: path }, options)
  return (body.data === undefined || body.code === undefined ? response.data : body.data) as T
}

/** Looks every 10 s whether the token is old enough to be renewed; answers how to stop. */
export function keepFresh(): () => void {
  const look = (): void => {
    if (session.age() >= TOKEN_TIME)
      renew(session.token()).then(
        done => void (done || end()),
        () => undefined,
      )
  }
  const timer = setInterval(look, LOOK)
  return () => clearInterval(timer)
}
