import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { type ApiError, call } from '../../../platform/http/browser/http.ts'
import { t } from '../../../platform/i18n/i18n.ts'

/** Everything that shows processes; whatever is done with one may change all of it. */
const shown = ['/blade-flow/', '/blade-desk/process/', '/blade-desk/home/']

/** Has everything that shows processes asked for anew. */
export function useFresh(): () => void {
  const client = useQueryClient()
  return () =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => typeof path === 'string' && shown.some(one => path.startsWith(one)),
    })
}

/** Something done with a process by a button; `params` go into the address. Refusals are shown by the door to the server. */
export function useFlowAct(path: string) {
  const refresh = useFresh()
  const { message } = App.useApp()
  return useMutation<unknown, ApiError, Record<string, unknown>>({
    mutationFn: params => call('POST', `/blade-flow/${path}`, { params }),
    onSuccess: () => {
      message.success(t('操作成功!'))
      refresh()
    },
    // A refusal often means that somebody else was faster.
    onError: refresh,
  })
}
