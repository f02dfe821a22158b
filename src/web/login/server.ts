import type { AnswerOf, Endpoint, ValuesOf } from '#engine'
import { sendPhoneCode, token as tokenCall } from '../../platform/auth/contract.ts'
import type { TokenAnswer } from '../../platform/http/browser/session.ts'
import { captcha, publicKey, siteInfo, tenantInfo, type Work } from '../../platform/http/contract.ts'
import type { Key } from '../../screens/candidate/encrypted.ts'

/** The site's modes that the sign-in page needs. */
export type Site = AnswerOf<typeof siteInfo>

/** What every call is about: whose page this is, and the calculation that stands behind it. */
export interface Around {
  tenantId: string
  captcha: string
  captchaKey: string
}

/** Where somebody stands who has to wait: about how many are ahead, how long, and after how many seconds to ask again. */
interface Turn {
  queueTicket: string
  ahead: number
  seconds: number
  retryAfter: number
}

/** What the server answers: a session, or why not. */
export interface Answer extends Partial<TokenAnswer> {
  error_code?: number
  error_description?: string
  code?: number
  msg?: string
  /** `factorToken`: the login goes on with a code of the app. `id`: a code was sent. */
  data?: { factorToken?: string } & Partial<AnswerOf<typeof sendPhoneCode>> & Partial<Turn>
}

const language = (): string => document.documentElement.lang || 'zh-CN'

/** Who is calling, and the language of the page: refusals come in it. */
const headersNow = () => ({
  Authorization: `Basic ${btoa('juxian-web:')}`,
  'Blade-Requested-With': 'BladeHttpRequest',
  'Accept-Language': language(),
})

/** Whatever a call that only reads answers, with or without an envelope. */
async function read({ path }: Pick<Endpoint, 'path'>, values: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(values)
  const address = query.size ? `/api${path}?${query}` : `/api${path}`
  return (await fetch(address, { headers: headersNow() })).json()
}

/** How often a server with too much to do is asked again. */
const TRIES = 30

/** Milliseconds before it is: whoever was refused with many others does not come back with all of them. */
export const busyPause = (): number => 2000 * (0.5 + Math.random())

async function ask<E extends Endpoint>(
  endpoint: E,
  values: ValuesOf<NoInfer<E>> & Readonly<Record<string, string>>,
): Promise<AnswerOf<E>> {
  let body = await read(endpoint, values)
  for (let tries = 0; isAway(body) && tries < TRIES; tries++) {
    await new Promise(resolve => setTimeout(resolve, busyPause()))
    body = await read(endpoint, values)
  }
  if (body.code !== 200) throw new Error(body.msg)
  return body.data
}

/** What the server wrote into the page about the site, in the page's language; nothing where it did not. */
export function siteTold(): Site | undefined {
  const text = document.getElementById('site')?.textContent
  return text ? JSON.parse(text)[language()] : undefined
}

/** The site's modes and title: as the page was told, or asked for. */
export const site = async (): Promise<Site> => siteTold() ?? ask(siteInfo, {})

/** The tenant that this address belongs to, or an empty string. */
export const tenantHere = (): Promise<string> =>
  ask(tenantInfo, { domain: location.host }).then(
    tenant => tenant.tenantId ?? '',
    () => '',
  )

/** A new calculation to be done before a call, and its handle. */
export const work = (): Promise<{ key: string; work?: Work }> => ask(captcha, { kind: 'work' })

/** A picture with characters to be typed, and its handle. Older servers of this family answer it without an envelope. */
export async function picture(): Promise<{ key: string; image: string }> {
  const body: AnswerOf<typeof captcha> = await read(captcha, {})
  const { key, image } = body.data ?? body
  if (!/^data:image\//.test(image)) throw new Error('No picture came.')
  return { key, image }
}

const askKey = (): Promise<Key> => ask(publicKey, {})
const cipher = () => import('../../platform/http/browser/cipher.ts')

/** Brings the encryption while the person is still typing. */
export function prepare(): void {
  cipher().catch(() => undefined)
}

async function post(
  { path }: Pick<Endpoint, 'path'>,
  { tenantId, captcha, captchaKey }: Around,
  form: Record<string, string>,
) {
  const headers = {
    ...headersNow(),
    'Tenant-Id': tenantId,
    'Captcha-Key': captchaKey,
    'Captcha-Code': captcha,
  }
  const body = new URLSearchParams({ tenantId, ...form })
  const response = await fetch(`/api${path}`, { method: 'POST', headers, body })
  return (await response.json()) as Answer
}

/** Whether nobody has looked at a call: the server, or what it needs, is away or has too much to do. */
export const isAway = ({ code }: Answer): boolean => code === REFUSAL.request.unavailable

let last: () => Promise<Answer>
let place = ''

async function token(around: Around, form: Record<string, string>): Promise<Answer> {
  last = () => token(around, form)
  const answer = await post(tokenCall, around, {
    scope: 'all',
    type: 'account',
    ...form,
    ...(place && { queueTicket: place }),
  })
  if (!isAway(answer)) place = answer.data?.queueTicket ?? ''
  return answer
}

/** Asks for the same token again: what had to wait has used nothing up. */
export const again = (): Promise<Answer> => last()

/** Asks for a token. The password travels only encrypted, bound to the server's time and a nonce. */
export async function signIn(around: Around, grant: string, username: string, password: string): Promise<Answer> {
  const [key, { encrypt }] = await Promise.all([askKey(), cipher()])
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
  post(sendPhoneCode, around, { phone, purpose: 'login' })

/** Asks for a token by a code on the phone. */
export const signInBySms = (around: Around, phone: string, codeId: string, value: string): Promise<Answer> =>
  token(around, { grant_type: 'sms_code', phone, codeId, value })

/** The second half of a login; the name is for the log. */
export const secondStep = (around: Around, username: string, factorToken: string, value: string): Promise<Answer> =>
  token(around, { grant_type: 'password', username, factorToken, value })
