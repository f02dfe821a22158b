import type { TokenAnswer } from '../session.ts'

/** The site's modes that the sign-in page needs. */
export interface Site {
  registerMode: boolean
  captchaMode: boolean
  tenantMode: boolean
  title: string
  /** Only on a demo installation. */
  demoAccounts?: { account: string; name: string; password: string }[]
}

/** What a person typed, and the captcha's handle. */
export interface Entry {
  tenantId: string
  username: string
  password: string
  captcha: string
  captchaKey: string
  captchaMode: boolean
}

/** What the token call answers: a session, or why not. */
export interface Answer extends Partial<TokenAnswer> {
  error_code?: number
  error_description?: string
  code?: number
  msg?: string
}

interface Key {
  publicKey: string
  keyId: string
  serverTime: string
  nonce: string
}

/** Who is calling, and the language of the page: refusals come in it. */
const headersNow = () => ({
  Authorization: `Basic ${btoa('juxian-web:')}`,
  'Blade-Requested-With': 'BladeHttpRequest',
  'Accept-Language': document.documentElement.lang || 'zh-CN',
})

async function ask<T>(path: string): Promise<T> {
  const body = await (await fetch(`/api${path}`, { headers: headersNow() })).json()
  if (body.code !== 200) throw new Error(body.msg)
  return body.data as T
}

/** The site's modes and title. */
export const site = (): Promise<Site> => ask('/public/site')

/** The tenant that this address belongs to, or an empty string. */
export const tenantHere = (): Promise<string> =>
  ask<{ tenantId?: string }>(`/blade-system/tenant/info?domain=${encodeURIComponent(location.host)}`).then(
    tenant => tenant.tenantId ?? '',
    () => '',
  )

/** A new captcha: its handle and its picture. */
export const captcha = (): Promise<{ key: string; image: string }> => ask('/blade-auth/oauth/captcha')

const publicKey = (): Promise<Key> => ask('/blade-auth/oauth/public-key')
const cipher = () => import('./cipher.ts')

/** Brings the encryption while the person is still typing. */
export function prepare(): void {
  cipher().catch(() => undefined)
}

/** Asks for a token. The password travels only encrypted, bound to the server's time and a nonce. */
export async function signIn(entry: Entry): Promise<Answer> {
  const [key, { encrypt }] = await Promise.all([publicKey(), cipher()])
  const form = new URLSearchParams({
    tenantId: entry.tenantId,
    username: entry.username,
    password: encrypt(`${entry.password}\n${key.serverTime}\n${key.nonce}`, key.publicKey),
    keyId: key.keyId,
    grant_type: entry.captchaMode ? 'captcha' : 'password',
    scope: 'all',
    type: 'account',
  })
  const headers = {
    ...headersNow(),
    'Tenant-Id': entry.tenantId,
    'Captcha-Key': entry.captchaKey,
    'Captcha-Code': encodeURIComponent(entry.captcha),
  }
  const response = await fetch('/api/blade-auth/oauth/token', { method: 'POST', headers, body: form })
  return (await response.json()) as Answer
}
