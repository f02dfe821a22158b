import { writesSoFar } from '../../platform/http/browser/http.ts'
import { type AnyResource, addressOf, callAny, type Sent } from './any-resource.ts'
import { pageToQuery } from './query.ts'

/** Milliseconds in which an answer that came early may be shown: what a slow device needs from asking to drawing. */
const FRESH = 10_000

interface Early {
  readonly at: number
  /** Writes of this page before it was asked. */
  readonly writes: number
  readonly answer: Promise<Sent | undefined>
  /** The answer, once it is here. */
  value?: Sent | undefined
}

const early = new Map<string, Early>()

type Params = Readonly<Record<string, unknown>>

const keyOf = (list: AnyResource, params: Params): string => `${addressOf(list, 'list').path} ${JSON.stringify(params)}`

/** Soon enough, and nothing has been saved since. */
const isFresh = (one: Early | undefined): one is Early =>
  one !== undefined && Date.now() - one.at < FRESH && one.writes === writesSoFar()

/**
 * Asks for rows that a page will want while the page itself is still on its way. Nobody sees a refusal: the page asks again,
 * and shows what it is then told.
 */
function askEarly(list: AnyResource, params: Params): void {
  for (const [key, one] of early) if (!isFresh(one)) early.delete(key)
  const key = keyOf(list, params)
  if (early.has(key)) return
  const [at, writes] = [Date.now(), writesSoFar()]
  const answer = callAny(list, 'list', { params: { ...params }, pass: 'all' }).catch(() => undefined)
  const one: Early = { at, writes, answer }
  answer.then(value => {
    one.value = value
  })
  early.set(key, one)
}

/** The answer that was asked for early, once; undefined when it was not, too long ago, or in vain. */
export async function takeEarlyAnswer(list: AnyResource, params: Params): Promise<Sent | undefined> {
  const key = keyOf(list, params)
  const one = early.get(key)
  early.delete(key)
  return isFresh(one) ? one.answer : undefined
}

/** What is known of a list before its definition has come. */
interface Listed extends AnyResource {
  readonly tree?: unknown
  readonly pageSize: number
  /** The named filter that it opens with. */
  readonly chip: string | null
}

const firstPage = ({ tree, pageSize, chip }: Listed): Params => ({
  ...pageToQuery({ mode: tree ? 'off' : 'server', pageSize }),
  ...(chip && { chip }),
})

/** Asks for the first page of a list, as the list itself does when it is opened without a search. */
export const askFirst = (list: Listed): void => askEarly(list, firstPage(list))

/** The first page of a list when it was asked for early and is here: drawn at once, without waiting for anything. */
export function takeFirst(list: Listed): Sent | undefined {
  const key = keyOf(list, firstPage(list))
  const one = early.get(key)
  if (!isFresh(one) || one.value === undefined) return undefined
  early.delete(key)
  return one.value
}
