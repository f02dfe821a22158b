import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { ErrorBoundary } from '../screens/window/ErrorBoundary.tsx'
import { Appearance } from './chrome/Appearance.tsx'
import { SignInAgain } from './chrome/SignInAgain.tsx'
import { AppRoutes } from './routes.tsx'

/** The whole browser application. */
export function App(): ReactNode {
  return (
    <Appearance>
      <ErrorBoundary>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </ErrorBoundary>
      <SignInAgain />
    </Appearance>
  )
}
