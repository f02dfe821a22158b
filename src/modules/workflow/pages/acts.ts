import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import type { AnswerOf, Endpoint, ValuesOf } from '#engine'
import { call } from '../../../platform/http/browser/call.ts'
import type { ApiError } from '../../../platform/http/browser/http.ts'
import { t } from '../../../platform/i18n/i18n.ts'

/** Everything that shows processes; whatever is done with one may change all of it. */
const shown = ['/blade-flow/', '/blade-desk/process/', '/blade-desk/home/']

/** Has everything that shows processes asked for again. */
export function useFresh(): () => void {
  const client = useQueryClient()
  return () =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => typeof path === 'string' && shown.some(one => path.startsWith(one)),
    })
}

/** Something done with a process by a button. Refusals are shown by the HTTP client. */
export function useFlowAct<E extends Endpoint>(endpoint: E) {
  const refresh = useFresh()
  const { message } = App.useApp()
  return useMutation<AnswerOf<E>, ApiError, ValuesOf<E>>({
    mutationFn: values => call(endpoint, values),
    onSuccess: () => {
      message.success(t('操作成功!'))
      refresh()
    },
    // A refusal often means that somebody else was faster.
    onError: refresh,
  })
}
