import { AuthPage, ErrorComponent, ThemedLayout, ThemedSider, useNotificationProvider } from '@refinedev/antd'
import { Authenticated, Refine } from '@refinedev/core'
import '@refinedev/antd/dist/reset.css'
import routerProvider, {
  CatchAllNavigate,
  DocumentTitleHandler,
  NavigateToResource,
  UnsavedChangesNotifier,
} from '@refinedev/react-router'
import { App as AntdApp, ConfigProvider } from 'antd'
import { BrowserRouter, Outlet, Route, Routes } from 'react-router'
import { authProvider } from './auth.ts'
import { dataProvider } from './data.ts'
import { postColumns, Rows, ShowRow, signupColumns } from './lists.tsx'

const resources = ['signups', 'posts'].map(name => ({ name, list: `/${name}`, show: `/${name}/show/:id` }))

const inside = (
  <Authenticated key="inside" fallback={<CatchAllNavigate to="/login" />}>
    <ThemedLayout Sider={props => <ThemedSider {...props} fixed />}>
      <Outlet />
    </ThemedLayout>
  </Authenticated>
)

const outside = (
  <Authenticated key="outside" fallback={<Outlet />}>
    <NavigateToResource />
  </Authenticated>
)

/** What `npm create refine-app` gives for Vite, antd and a REST server, without its development tools and its command bar. */
export const App = () => (
  <BrowserRouter>
    <ConfigProvider>
      <AntdApp>
        <Refine
          dataProvider={dataProvider}
          authProvider={authProvider}
          notificationProvider={useNotificationProvider}
          routerProvider={routerProvider}
          resources={resources}
          options={{ syncWithLocation: true, warnWhenUnsavedChanges: true, disableTelemetry: true }}
        >
          <Routes>
            <Route element={inside}>
              <Route index element={<NavigateToResource resource="signups" />} />
              <Route path="/signups" element={<Rows columns={signupColumns} />} />
              <Route path="/posts" element={<Rows columns={postColumns} />} />
              <Route path="/:resource/show/:id" element={<ShowRow />} />
              <Route path="*" element={<ErrorComponent />} />
            </Route>
            <Route element={outside}>
              <Route path="/login" element={<AuthPage type="login" />} />
            </Route>
          </Routes>
          <UnsavedChangesNotifier />
          <DocumentTitleHandler />
        </Refine>
      </AntdApp>
    </ConfigProvider>
  </BrowserRouter>
)
