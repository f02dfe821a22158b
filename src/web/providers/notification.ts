import type { NotificationProvider } from '@refinedev/core'
import { App } from 'antd'
import { useMemo } from 'react'

/**
 * Refine's messages as antd ones. Errors that come with a description are refusals of the server, which `http` has
 * shown already: they are not shown twice.
 */
export function useNotificationProvider(): NotificationProvider {
  const { message } = App.useApp()
  return useMemo(
    () => ({
      open: ({ type, message: content, description, key }) => {
        if (type === 'error' && description) return
        void message.open({ type: type === 'progress' ? 'loading' : type, content, key })
      },
      close: key => message.destroy(key),
    }),
    [message],
  )
}
