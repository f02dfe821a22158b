import { Refine } from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { type ReactNode, useMemo } from 'react'
import { accessControlProvider } from '../providers/access.ts'
import { authProvider } from '../providers/auth.ts'
import { dataProvider } from '../providers/data.ts'
import { i18nProvider } from '../providers/i18n.ts'
import { useNotificationProvider } from '../providers/notification.ts'

const OPTIONS = {
  disableTelemetry: true,
  syncWithLocation: true,
  warnWhenUnsavedChanges: false,
  reactQuery: {
    clientConfig: { defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } } },
  },
}

/** Refine with our providers, around every page that works with data of a signed-in person. */
export function Backend({ children }: { children: ReactNode }): ReactNode {
  const notificationProvider = useNotificationProvider()
  const resources = useMemo(() => [], [])
  return (
    <Refine
      dataProvider={dataProvider}
      authProvider={authProvider}
      accessControlProvider={accessControlProvider}
      i18nProvider={i18nProvider}
      notificationProvider={notificationProvider}
      routerProvider={routerProvider}
      resources={resources}
      options={OPTIONS}
    >
      {children}
    </Refine>
  )
}
