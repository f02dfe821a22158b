import { session, type TokenAnswer } from '../session.ts'
import { fetchAhead } from './ahead.ts'
import { type Answer, captcha, prepare, type Site, signIn, site, tenantHere } from './server.ts'
import { isEnglish, t, toggle, write } from './texts.ts'

const DEFAULT_TENANT = '000000'
/** Codes of refusals that name a field; others belong to the account. */
const FIELD_OF: Record<number, string> = { 20001: 'captcha', 20002: 'password' }

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
const input = (id: string): HTMLInputElement => byId<HTMLInputElement>(id)

const query = new URLSearchParams(location.search)
let modes: Pick<Site, 'captchaMode' | 'tenantMode'> = { captchaMode: true, tenantMode: false }
let captchaKey = ''
let busy = false

function destination(): string {
  const asked = new URL(query.get('redirect') ?? '/', location.origin)
  return asked.origin === location.origin && asked.pathname !== '/login' ? asked.href : '/'
}

function say(text: string): void {
  const alert = byId('alert')
  alert.textContent = text
  alert.hidden = text === ''
}

function point(id: string): void {
  for (const field of byId<HTMLFormElement>('form').querySelectorAll('input')) {
    field.removeAttribute('aria-invalid')
  }
  byId(id).focus()
}

function blame(id: string): void {
  point(id)
  input(id).setAttribute('aria-invalid', 'true')
  input(id).select()
}

async function renew(): Promise<void> {
  if (!modes.captchaMode) return
  input('captcha').value = ''
  try {
    const next = await captcha()
    captchaKey = next.key
    byId<HTMLImageElement>('picture').src = next.image
  } catch (error) {
    say(t(error instanceof Error && error.message ? error.message : '网络不通，请检查网络后重试'))
  }
}

function missing(): string | undefined {
  const asked = [
    ...(modes.tenantMode ? ['tenant'] : []),
    'username',
    'password',
    ...(modes.captchaMode ? ['captcha'] : []),
  ]
  return asked.find(id => input(id).value.trim() === '' && !byId(`${id}-field`)?.hidden)
}

const EMPTY: Record<string, string> = {
  tenant: '请输入租户编号',
  username: '请输入账号',
  password: '请输入密码',
  captcha: '请输入验证码',
}

function wait(on: boolean): void {
  busy = on
  const button = byId<HTMLButtonElement>('submit')
  button.setAttribute('aria-busy', String(on))
  button.textContent = t(on ? '正在登录…' : '登录')
}

async function refused(answer: Answer): Promise<void> {
  const code = Number(answer.error_code || answer.code)
  say(t(answer.error_description || answer.msg || '系统错误'))
  const shown = renew()
  blame(FIELD_OF[code] ?? 'username')
  await shown
}

async function submit(): Promise<void> {
  if (busy) return
  const empty = missing()
  if (empty) {
    say(t(EMPTY[empty] ?? ''))
    return blame(empty)
  }
  wait(true)
  say('')
  try {
    const answer = await signIn({
      tenantId: input('tenant').value.trim() || DEFAULT_TENANT,
      username: input('username').value.trim(),
      password: input('password').value,
      captcha: input('captcha').value.trim(),
      captchaKey,
      captchaMode: modes.captchaMode,
    })
    if (answer.access_token && !answer.error_description) return enter(answer as TokenAnswer)
    await refused(answer)
  } catch {
    say(t('网络不通，请检查网络后重试'))
    await renew()
  }
  wait(false)
}

function enter(answer: TokenAnswer): void {
  session.begin(answer)
  localStorage.setItem('juxian-last-type', String(answer.userType ?? 1))
  location.replace(destination())
}

function offer(accounts: NonNullable<Site['demoAccounts']>): void {
  for (const old of byId('demo').querySelectorAll('button')) old.remove()
  for (const { account, name, password } of accounts) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = name || account
    button.title = account
    button.addEventListener('click', () => {
      input('username').value = account
      input('password').value = password
      point(modes.captchaMode ? 'captcha' : 'submit')
    })
    byId('demo').append(button)
  }
  byId('demo').hidden = accounts.length === 0
}

/** Writes what the server calls the site and its demo accounts, in the page's language. */
async function nameSite(): Promise<Site> {
  const found = await site()
  for (const place of document.querySelectorAll('[data-site=title]'))
    place.textContent = found.title || place.textContent
  offer(found.demoAccounts ?? [])
  return found
}

async function applySite(): Promise<void> {
  const found = await nameSite()
  modes = found
  byId('captcha-field').hidden = !found.captchaMode
  byId('register').hidden = !found.registerMode
  if (!found.tenantMode) return
  input('tenant').value = await tenantHere()
  byId('tenant-field').hidden = input('tenant').value !== ''
}

function reveal(): void {
  const shown = input('password').type === 'password'
  input('password').type = shown ? 'text' : 'password'
  byId('reveal').setAttribute('aria-pressed', String(shown))
}

function language(): void {
  byId('language').textContent = isEnglish() ? '中文' : 'English'
  byId('language').lang = isEnglish() ? 'zh-CN' : 'en'
}

function listen(): void {
  byId('form').addEventListener('submit', event => {
    event.preventDefault()
    void submit()
  })
  byId('form').addEventListener('input', event => (event.target as Element).removeAttribute('aria-invalid'))
  byId('form').addEventListener('focusin', prepare, { once: true })
  byId('form').addEventListener('input', () => void fetchAhead(), { once: true })
  byId('renew').addEventListener('click', () => void renew())
  byId('reveal').addEventListener('click', reveal)
  byId('language').addEventListener('click', () => {
    toggle()
    language()
    say('')
    nameSite().catch(() => undefined)
  })
}

/** Starts the sign-in page: with a token it leaves at once, without one it asks for the first captcha. */
export function start(): void {
  if (session.token()) {
    location.replace(destination())
    return
  }
  const theme = localStorage.getItem('juxian-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  write()
  language()
  listen()
  // Whoever has just registered finds the account filled in.
  input('username').value = query.get('account') ?? ''
  if (query.has('expired')) say(t('用户令牌过期，请重新登录'))
  void renew()
  applySite().catch(() => undefined)
}
