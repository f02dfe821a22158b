import { call, writesSoFar } from '../http.ts'

/** Milliseconds in which an answer that came early may be shown: what a slow device needs from asking to drawing. */
const FRESH = 10_000

interface Early {
  readonly at: number
  /** Writes of this page before it was asked. */
  readonly writes: number
  readonly answer: Promise<unknown>
}

const early = new Map<string, Early>()

type Params = Readonly<Record<string, unknown>>

const keyOf = (path: string, params: Params): string => `${path} ${JSON.stringify(params)}`

/** Soon enough, and nothing has been saved since. */
const isFresh = (one: Early | undefined): one is Early =>
  one !== undefined && Date.now() - one.at < FRESH && one.writes === writesSoFar()

/**
 * Asks for rows that a page will want while the page itself is still on its way. Nobody sees a refusal: the page asks again,
 * and shows what it then hears.
 */
export function askEarly(method: 'GET' | 'POST', path: string, params: Params): void {
  for (const [key, one] of early) if (!isFresh(one)) early.delete(key)
  const key = keyOf(path, params)
  if (early.has(key)) return
  const [at, writes] = [Date.now(), writesSoFar()]
  const answer = call(method, path, { params: { ...params }, pass: 'all' }).catch(() => undefined)
  early.set(key, { at, writes, answer })
}

/** The answer that was asked for early, once; undefined when it was not, too long ago, or in vain. */
export async function takeEarly<T>(path: string, params: Params): Promise<T | undefined> {
  const key = keyOf(path, params)
  const one = early.get(key)
  early.delete(key)
  return isFresh(one) ? (one.answer as Promise<T | undefined>) : undefined
}
