import { useQuery } from '@tanstack/react-query'
import type { AnswerOf, Callable, ValuesOf } from '#engine'
import { call } from '../../platform/http/browser/call.ts'
import { keepTime } from '../../platform/http/browser/clock.ts'

/**
 * An answer of the server, asked for again when the page is opened again. Refusals are shown in the page, not as a
 * message. `every` asks again each so many milliseconds. Answers that say `serverTime` set the clock.
 */
export function useContract<E extends Callable>(
  endpoint: E,
  values: ValuesOf<NoInfer<E>>,
  { enabled = true, stale = 0, every }: { enabled?: boolean; stale?: number; every?: number } = {},
) {
  return useQuery<AnswerOf<E>>({
    queryKey: [endpoint.path, values],
    enabled,
    staleTime: stale,
    refetchInterval: every ?? false,
    retry: false,
    queryFn: async ({ signal }) => {
      const answer = await call<E>(endpoint, values, { signal, pass: 'all' })
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
