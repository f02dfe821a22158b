import type { AuthProvider } from '@refinedev/core'
import { call } from '../../platform/http/browser/call.ts'
import { ApiError } from '../../platform/http/browser/http.ts'
import { DRAFTS, session } from '../../platform/http/browser/session.ts'
import { signOut as endSession } from '../../platform/http/contract.ts'
import { knownRights } from './rights.ts'

/** The sign-in page's address that leads back to where the person is. */
export function signInAddress(reason?: 'expired'): string {
  const here = location.pathname + location.search
  const query = new URLSearchParams({ ...(reason && { [reason]: '1' }), ...(here !== '/' && { redirect: here }) })
  return query.size ? `/login?${query}` : '/login'
}

let leaving = false

/** Leaves the application for good. The first reason counts: what is drawn while leaving cannot send one elsewhere. */
export function leaveFor(address: string): void {
  if (leaving) return
  leaving = true
  location.replace(address)
}

/** Forms that the server has not taken are kept when a session runs out, not when the person leaves this device. */
export function dropDrafts(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(DRAFTS)) localStorage.removeItem(name)
}

/** Ends the session here and at the server, and leaves for the sign-in page. An unreachable server does not keep one in. */
export async function signOut(): Promise<void> {
  await call(endSession, {}, { pass: 'all', timeout: 5000, patience: 0 }).catch(() => undefined)
  leaveFor('/login')
  dropDrafts()
  session.clear()
}

/** Refine's questions about who is signed in, answered from the session. Signing in itself is the static page's. */
export const authProvider: AuthProvider = {
  login: async () => ({ success: session.token() !== '', redirectTo: '/' }),
  logout: async () => {
    await signOut()
    return { success: true }
  },
  check: async () => ({ authenticated: session.get() !== null }),
  // A 401 has already been renewed or has ended the session in `http`.
  onError: async error => (error instanceof ApiError ? { error } : {}),
  getIdentity: async () => session.get(),
  getPermissions: async () => knownRights()?.permissions ?? {},
}
