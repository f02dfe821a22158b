import { Refine } from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { type ReactNode, useMemo } from 'react'
import { accessControlProvider } from '../providers/access.ts'
import { authProvider } from '../providers/auth.ts'
import { dataProvider } from '../providers/data.ts'
import { i18nProvider } from '../providers/i18n.ts'
import { useNotificationProvider } from '../providers/notification.ts'
import { QUERIES } from './queries.ts'

const OPTIONS = {
  disableTelemetry: true,
  syncWithLocation: true,
  warnWhenUnsavedChanges: false,
  reactQuery: { clientConfig: QUERIES },
}

/** Refine with our providers, around every page that may hold a generated list, form or detail. */
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
