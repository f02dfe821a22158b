import { readCall } from '#engine'
import { call, writesSoFar } from '../../platform/http/browser/http.ts'
import { pageToQuery } from './query.ts'

/** Milliseconds in which an answer that came early may be shown: what a slow device needs from asking to drawing. */
const FRESH = 10_000

interface Early {
  readonly at: number
  /** Writes of this page before it was asked. */
  readonly writes: number
  readonly answer: Promise<unknown>
  /** The answer, once it is here. */
  value?: unknown
}

const early = new Map<string, Early>()

type Params = Readonly<Record<string, unknown>>

const keyOf = (path: string, params: Params): string => `${path} ${JSON.stringify(params)}`

/** Soon enough, and nothing has been saved since. */
const isFresh = (one: Early | undefined): one is Early =>
  one !== undefined && Date.now() - one.at < FRESH && one.writes === writesSoFar()

/**
 * Asks for rows that a page will want while the page itself is still on its way. Nobody sees a refusal: the page asks again,
 * and shows what it is then told.
 */
function askEarly(method: 'GET' | 'POST', path: string, params: Params): void {
  for (const [key, one] of early) if (!isFresh(one)) early.delete(key)
  const key = keyOf(path, params)
  if (early.has(key)) return
  const [at, writes] = [Date.now(), writesSoFar()]
  const answer = call(method, path, { params: { ...params }, pass: 'all' }).catch(() => undefined)
  const one: Early = { at, writes, answer }
  answer.then(value => {
    one.value = value
  })
  early.set(key, one)
}

/** The answer that was asked for early, once; undefined when it was not, too long ago, or in vain. */
export async function takeEarlyAnswer<T>(path: string, params: Params): Promise<T | undefined> {
  const key = keyOf(path, params)
  const one = early.get(key)
  early.delete(key)
  return isFresh(one) ? (one.answer as Promise<T | undefined>) : undefined
}

/** What is known of a list before its definition has come. */
interface Listed {
  readonly path: string
  readonly calls: { readonly list: `${'GET' | 'POST'} ${string}` }
  readonly tree?: unknown
  readonly pageSize: number
}

function firstPage({ path, calls, tree, pageSize }: Listed) {
  const call = readCall(calls.list)
  const params = pageToQuery({ mode: tree ? 'off' : 'server', pageSize })
  return { method: call.method, path: `${path}/${call.path}`, params }
}

/** Asks for the first page of a list, as the list itself does when it is opened without a search. */
export function askFirst(list: Listed): void {
  const { method, path, params } = firstPage(list)
  askEarly(method, path, params)
}

/** The first page of a list when it was asked for early and is here: drawn at once, without waiting for anything. */
export function takeFirst<T>(list: Listed): T | undefined {
  const { path, params } = firstPage(list)
  const key = keyOf(path, params)
  const one = early.get(key)
  if (!isFresh(one) || one.value === undefined) return undefined
  early.delete(key)
  return one.value as T
}
