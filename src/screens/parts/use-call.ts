import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { type ApiError, type CallOptions, call } from '../../platform/http/browser/http.ts'
import { t } from '../../platform/i18n/i18n.ts'

/** Reads a call for a page: kept by its path and parameters, refreshed when the page comes back. */
export function useRead<T>(path: string, params: Record<string, unknown> = {}, enabled = true) {
  return useQuery({
    queryKey: [path, params],
    queryFn: ({ signal }) => call<T>('GET', path, { params, signal }),
    enabled,
  })
}

/** What becomes of a call made by a button. */
export interface Acting {
  /** Text of the toast; `false` for none. */
  done?: string | false
  /** Paths whose data is stale afterwards. */
  stale?: readonly string[]
  /** Codes the page deals with itself. */
  pass?: CallOptions['pass']
}

/** A call made by a button: refusals are shown by the HTTP client, what was typed stays. */
export function useAct<T = unknown>(path: string, { done = '操作成功!', stale = [], pass }: Acting = {}) {
  const client = useQueryClient()
  const { message } = App.useApp()
  return useMutation<T, ApiError, Record<string, unknown>>({
    mutationFn: data => call<T>('POST', path, { data, pass }),
    onSuccess: () => {
      if (done) message.success(t(done))
      for (const one of stale) void client.invalidateQueries({ queryKey: [one] })
    },
  })
}
