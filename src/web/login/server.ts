import type { AnswerOf } from '#engine'
import type { TokenAnswer } from '../../platform/http/browser/session.ts'
import type { Work } from '../../platform/http/browser/work.ts'
import type { siteInfo } from '../../platform/http/contract.ts'

/** The site's modes that the sign-in page needs. */
export type Site = AnswerOf<typeof siteInfo>

/** What every call is about: whose page this is, and the calculation that stands behind it. */
export interface Around {
  tenantId: string
  captcha: string
  captchaKey: string
}

/** What the server answers: a session, or why not. */
export interface Answer extends Partial<TokenAnswer> {
  error_code?: number
  error_description?: string
  code?: number
  msg?: string
  /** `factorToken`: the login goes on with a code of the app. `id`: a code was sent. */
  data?: { factorToken?: string; id?: string }
}

/** The key for passwords; a server that gives no number with it reads the password alone. */
interface Key {
  publicKey: string
  keyId?: string
  serverTime?: string
  nonce?: string
}

const language = (): string => document.documentElement.lang || 'zh-CN'

/** Who is calling, and the language of the page: refusals come in it. */
const headersNow = () => ({
  Authorization: `Basic ${btoa('juxian-web:')}`,
  'Blade-Requested-With': 'BladeHttpRequest',
  'Accept-Language': language(),
})

async function ask<T>(path: string): Promise<T> {
  const body = await (await fetch(`/api${path}`, { headers: headersNow() })).json()
  if (body.code !== 200) throw new Error(body.msg)
  return body.data as T
}

/** What the server wrote into the page about the site, in the page's language; nothing where it did not. */
export function siteTold(): Site | undefined {
  const text = document.getElementById('site')?.textContent
  return text ? JSON.parse(text)[language()] : undefined
}

/** The site's modes and title: as the page was told, or asked for. */
export const site = async (): Promise<Site> => siteTold() ?? ask('/public/site')

/** The tenant that this address belongs to, or an empty string. */
export const tenantHere = (): Promise<string> =>
  ask<{ tenantId?: string }>(`/blade-system/tenant/info?domain=${encodeURIComponent(location.host)}`).then(
    tenant => tenant.tenantId ?? '',
    () => '',
  )

/** A new calculation to be done before a call, and its handle. */
export const work = (): Promise<{ key: string; work: Work }> => ask('/blade-auth/oauth/captcha?kind=work')

/** A picture with characters to be typed, and its handle. Older servers of this family answer it without an envelope. */
export async function picture(): Promise<{ key: string; image: string }> {
  const body = await (await fetch('/api/blade-auth/oauth/captcha', { headers: headersNow() })).json()
  const { key, image } = body.data ?? body
  if (!/^data:image\//.test(image)) throw new Error('No picture came.')
  return { key, image }
}

const publicKey = (): Promise<Key> => ask('/blade-auth/oauth/public-key')
const cipher = () => import('../../platform/http/browser/cipher.ts')

/** Brings the encryption while the person is still typing. */
export function prepare(): void {
  cipher().catch(() => undefined)
}

async function post(path: string, { tenantId, captcha, captchaKey }: Around, form: Record<string, string>) {
  const headers = {
    ...headersNow(),
    'Tenant-Id': tenantId,
    'Captcha-Key': captchaKey,
    'Captcha-Code': captcha,
  }
  const body = new URLSearchParams({ tenantId, ...form })
  const response = await fetch(`/api/blade-auth/oauth/${path}`, { method: 'POST', headers, body })
  return (await response.json()) as Answer
}

const token = (around: Around, form: Record<string, string>) =>
  post('token', around, { scope: 'all', type: 'account', ...form })

/** Asks for a token. The password travels only encrypted, bound to the server's time and a nonce. */
export async function signIn(around: Around, grant: string, username: string, password: string): Promise<Answer> {
  const [key, { encrypt }] = await Promise.all([publicKey(), cipher()])
  const text = key.nonce ? `${password}\n${key.serverTime}\n${key.nonce}` : password
  return token(around, {
    username,
    grant_type: grant,
    ...(key.keyId && { keyId: key.keyId }),
    password: encrypt(text, key.publicKey),
  })
}

/** Has a code sent to a phone. */
export const sendCode = (around: Around, phone: string): Promise<Answer> =>
  post('sms/send-validate', around, { phone, purpose: 'login' })

/** Asks for a token by a code on the phone. */
export const signInBySms = (around: Around, phone: string, codeId: string, value: string): Promise<Answer> =>
  token(around, { grant_type: 'sms_code', phone, codeId, value })

/** The second half of a login; the name is for the log. */
export const secondStep = (around: Around, username: string, factorToken: string, value: string): Promise<Answer> =>
  token(around, { grant_type: 'password', username, factorToken, value })
