import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import type { AnswerOf, Callable, ValuesOf } from '#engine'
import { call, type EndpointCallOptions } from '../../platform/http/browser/call.ts'
import type { ApiError } from '../../platform/http/browser/http.ts'
import { t } from '../../platform/i18n/i18n.ts'
import { useButtonKeys } from '../button-keys.ts'
import type { FormKey } from '../use-key.ts'

/** How a page reads a call. */
export interface Reading {
  /** False: nothing is asked for yet. */
  enabled?: boolean
  /** Milliseconds after which it is read again by itself. */
  every?: number | undefined
  /** The last answer stays until that for other values is there. */
  keep?: true
  /** Codes the page deals with itself. */
  pass?: EndpointCallOptions['pass']
}

/** Reads a call for a page: kept by its address and values, refreshed when the page comes back. */
export function useEndpoint<E extends Callable>(
  endpoint: E,
  values: ValuesOf<E>,
  { enabled = true, every, keep, pass }: Reading = {},
) {
  return useQuery<AnswerOf<E>>({
    queryKey: [endpoint.path, values],
    queryFn: ({ signal }) => call(endpoint, values, { signal, pass }),
    enabled,
    refetchInterval: every ?? false,
    ...(keep && { placeholderData: keepPreviousData }),
  })
}

/** Marks what has been read by calls as out of date, whatever their values. */
const forget = (client: QueryClient, endpoints: readonly Pick<Callable, 'path'>[]): void => {
  for (const { path } of endpoints) void client.invalidateQueries({ queryKey: [path] })
}

/** What becomes of a call made by a button. */
export interface Sending {
  /** Text of the toast; `false` for none. */
  done?: string | false
  /** Calls whose answers are out of date afterwards. */
  stale?: readonly Pick<Callable, 'path'>[]
  /** Codes the page deals with itself. */
  pass?: EndpointCallOptions['pass']
  /** The key of the form that it sends, where each form makes one row; whoever sends tells it what failed. */
  key?: FormKey
}

/** A call made by a button: refusals are shown by the HTTP client, what was typed stays. */
export function useSend<E extends Callable>(
  endpoint: E,
  { done = '操作成功!', stale = [], pass, key: own }: Sending = {},
) {
  const client = useQueryClient()
  const { message } = App.useApp()
  const keys = useButtonKeys()
  return useMutation<AnswerOf<E>, ApiError, ValuesOf<E>>({
    mutationFn: values =>
      own
        ? call(endpoint, values, { pass, key: own.keyFor(values) })
        : keys.once(values, key => call(endpoint, values, { pass, key })),
    onSuccess: () => {
      own?.renew()
      if (done) message.success(t(done))
      forget(client, stale)
    },
  })
}
