import { useQuery } from '@tanstack/react-query'
import type { AnswerOf, Endpoint, ValuesOf } from '#engine'
import { call as callByContract } from '../../platform/http/browser/call.ts'
import { keepTime } from '../../platform/http/browser/clock.ts'
import { call } from '../../platform/http/browser/http.ts'

/**
 * An answer of the server, asked for again when the page is opened anew. Refusals are shown in the page, not as a
 * message. Answers that say `serverTime` set the clock.
 */
export function useAnswer<T>(
  path: string,
  params?: Record<string, unknown>,
  more: { enabled?: boolean; stale?: number } = {},
) {
  return useQuery<T>({
    queryKey: [path, params ?? null],
    enabled: more.enabled ?? true,
    staleTime: more.stale ?? 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const answer = await call<T>('GET', path, { params, signal, pass: 'all' })
      keepTime(timeIn(answer))
      return answer
    },
  })
}

/** {@link useAnswer} of a call with a contract. */
export function useContract<E extends Endpoint>(
  endpoint: E,
  values: ValuesOf<NoInfer<E>>,
  { enabled = true, stale = 0 }: { enabled?: boolean; stale?: number } = {},
) {
  return useQuery<AnswerOf<E>>({
    queryKey: [endpoint.path, values],
    enabled,
    staleTime: stale,
    retry: false,
    queryFn: async ({ signal }) => {
      const answer = await callByContract<E>(endpoint, values, { signal, pass: 'all' })
      keepTime(timeIn(answer))
      return answer
    },
  })
}

/** The `serverTime` of an answer or of the first line of a list. */
function timeIn(answer: unknown): string | undefined {
  const one = Array.isArray(answer) ? answer[0] : ((answer as { records?: unknown[] } | null)?.records?.[0] ?? answer)
  const time = (one as { serverTime?: unknown } | null)?.serverTime
  return typeof time === 'string' ? time : undefined
}
