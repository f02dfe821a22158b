import type { AuthProvider } from '@refinedev/core'
import mark from '../../../src/screens/window/mark.svg'
import { ask, KEY } from './data.ts'

/** Signing in at our server, whose passwords travel encrypted: what that needs comes when it is needed. */
export const authProvider: AuthProvider = {
  login: async ({ email, password }: { email: string; password: string }) => {
    const { sm2 } = await import('sm-crypto')
    const key = await ask<{ publicKey: string; keyId: string; serverTime: string; nonce: string }>(
      'blade-auth/oauth/public-key',
    )
    const secret = sm2.doEncrypt(`${password}\n${key.serverTime}\n${key.nonce}`, key.publicKey, 0)
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: secret, keyId: key.keyId })
    const answer = await fetch('/api/blade-auth/oauth/token', {
      method: 'POST',
      body,
      headers: { Authorization: `Basic ${btoa('juxian-web:')}` },
    })
    const { access_token } = (await answer.json()) as { access_token?: string }
    if (!access_token) return { success: false, error: { name: 'LoginError', message: 'Invalid username or password' } }
    localStorage.setItem(KEY, access_token)
    return { success: true, redirectTo: '/' }
  },
  logout: async () => {
    localStorage.removeItem(KEY)
    return { success: true, redirectTo: '/login' }
  },
  check: async () => {
    if (localStorage.getItem(KEY)) return { authenticated: true }
    return { authenticated: false, redirectTo: '/login' }
  },
  getPermissions: async () => null,
  getIdentity: async () => ({ id: 1, name: 'John Doe', avatar: mark }),
  onError: async error => ({ error }),
}
