import type { NotificationProvider } from '@refinedev/core'
import { App } from 'antd'
import { useMemo } from 'react'
import { tellError } from '../window/toasts.tsx'

/**
 * Refine's messages as antd ones. Errors that come with a description are refusals of the server, which `http` has
 * shown already: they are not shown twice.
 */
export function useNotificationProvider(): NotificationProvider {
  const { message } = App.useApp()
  return useMemo(
    () => ({
      open: ({ type, message: content, description, key }) => {
        if (type === 'error') {
          if (!description) tellError(message, content)
          return
        }
        // antd gives a message of a key that is still shown no more time than the first had left: a second row saved
        // soon after the first would be told of for a moment only. Only what is closed by its key keeps it.
        void message.open(type === 'progress' ? { type: 'loading', content, key } : { type, content })
      },
      close: key => message.destroy(key),
    }),
    [message],
  )
}
