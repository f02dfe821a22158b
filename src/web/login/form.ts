import { ownPath } from '../../platform/http/browser/own-path.ts'
import { session, type TokenAnswer } from '../../platform/http/browser/session.ts'
import { takeReturnState } from '../../platform/http/browser/sign-in-return.ts'
import { fetchAhead } from './ahead.ts'
import { codeId, send } from './code.ts'
import { nameSite } from './name-site.ts'
import { offerOutside } from './outside.ts'
import { isOver, tellWindow } from './over.ts'
import { blame, byId, complain, input, label, point, say, typed } from './page.ts'
import { askForPicture, readPicture, renewPicture } from './picture.ts'
import { calculateAhead, takeProof } from './proof.ts'
import { waitTurn } from './queue.ts'
import {
  type Answer,
  type Around,
  isAway,
  prepare,
  type Site,
  secondStep,
  signIn,
  signInBySms,
  siteTold,
  tenantHere,
} from './server.ts'
import { isEnglish, toggle, write } from './texts.ts'
import { askFor, EMPTY, FIRST, go, missing, wayNow } from './ways.ts'

const DEFAULT_TENANT = '000000'
const GOES_ON = REFUSAL.auth.secondFactorRequired
const TOO_LATE = REFUSAL.auth.loginExpired
const NOT_PROVED = REFUSAL.auth.captchaWrong
const QUEUED = REFUSAL.auth.queued
/** Codes of refusals that name a field; others belong to the first of the way. */
const FIELD_OF: Record<number, string> = {
  [REFUSAL.auth.credentialsWrong]: 'password',
  [REFUSAL.auth.smsCodeWrong]: 'code',
  [REFUSAL.auth.smsCodeTooSoon]: 'phone',
  [REFUSAL.auth.secondFactorWrong]: 'factor',
}

const query = new URLSearchParams(location.search)
let modes: Pick<Site, 'captchaMode' | 'captchaPicture' | 'tenantMode'> = { captchaMode: true, tenantMode: false }
/** While nobody knows what the site asks for: resolves when it is known, or cannot be. */
let asking: Promise<unknown> | undefined
let busy = false
let factorToken = ''

const destination = (): string => ownPath(query.get('redirect'))

const tenant = (): string => typed('tenant') || DEFAULT_TENANT

const readsPicture = (): boolean => modes.captchaMode && modes.captchaPicture === true
const calculates = (): boolean => modes.captchaMode && !readsPicture()
/** Whose page this is, with what was read from a picture, or a calculation, for one call. */
const proved = async (): Promise<Around> => ({
  tenantId: tenant(),
  ...(readsPicture() ? readPicture() : await takeProof(modes.captchaMode)),
})
/** The same for a call that asks for none. */
const around = (): Around => ({ tenantId: tenant(), captcha: '', captchaKey: '' })

function wait(on: boolean): void {
  busy = on
  const button = byId<HTMLButtonElement>('submit')
  button.setAttribute('aria-busy', String(on))
  label(button.firstElementChild, on ? '正在登录…' : '登录')
}

function refused(answer: Answer): void {
  const code = Number(answer.error_code || answer.code)
  if (code === TOO_LATE) go('password')
  say(answer.error_description || answer.msg || '系统错误')
  blame(FIELD_OF[code] ?? FIRST[wayNow()])
  // The next attempt needs another calculation, or another picture.
  if (wayNow() !== 'password') return
  if (calculates()) calculateAhead()
  else if (readsPicture()) void renewPicture()
}

async function ask(): Promise<Answer> {
  if (wayNow() === 'factor') return secondStep(around(), typed('username'), factorToken, typed('factor'))
  if (wayNow() === 'sms') return signInBySms(around(), typed('phone'), codeId(), typed('code'))
  const grant = modes.captchaMode ? 'captcha' : 'password'
  const attempt = async () => signIn(await proved(), grant, typed('username'), input('password').value)
  const answer = await attempt()
  // A calculation that came too late is done again, once, unasked.
  return Number(answer.error_code) === NOT_PROVED && calculates() ? attempt() : answer
}

/** Goes on with the app's code where the account has a second factor. */
function goOn(token: string): void {
  factorToken = token
  go('factor')
  point('factor')
}

async function submit(): Promise<void> {
  if (busy) return
  if (asking && !missing() && wayNow() === 'password') {
    wait(true)
    await asking
    wait(false)
  }
  if (wayNow() === 'sms' && typed('code') === '' && !codeId()) return sendNow()
  const empty = missing()
  if (empty) return complain(EMPTY[empty] ?? '', empty)
  wait(true)
  say('')
  try {
    let answer = await ask()
    if (Number(answer.error_code) === QUEUED || isAway(answer)) answer = await waitTurn(answer, ask)
    if (answer.access_token && !answer.error_description) return enter(answer as TokenAnswer)
    if (Number(answer.error_code) === GOES_ON && answer.data?.factorToken) goOn(answer.data.factorToken)
    else refused(answer)
  } catch {
    say('网络不通，请检查网络后重试')
  }
  wait(false)
}

const sendNow = (): Promise<void> => send(proved, refused)

function enter(answer: TokenAnswer): void {
  if (isOver()) {
    tellWindow(answer)
    return
  }
  session.begin(answer)
  localStorage.setItem('juxian-last-type', String(answer.userType ?? 1))
  location.replace(location.origin + destination())
}

/** Shows what the site is like. */
function fitPage({ captchaMode, captchaPicture, tenantMode, registerMode, smsMode, smsSandbox }: Site): void {
  modes = { captchaMode, captchaPicture, tenantMode }
  if (readsPicture()) void askForPicture()
  byId('register').hidden = !registerMode
  byId('by-sms').hidden = !smsMode
  byId('sandbox').hidden = !smsSandbox
  byId('sandbox').querySelector('a')!.href = smsSandbox || '.'
}

/** Offers the providers elsewhere of the tenant. */
const offer = (): Promise<void> => {
  return offerOutside(tenant(), destination())
}

/** Fits the page to the site: at once where the page was told, otherwise when the answer comes. */
function learnSite(): Promise<void> {
  const told = siteTold()
  if (told) fitPage(told)
  const learnt = nameSite().then(fitPage)
  asking = learnt
    .catch(() => undefined)
    .finally(() => {
      asking = undefined
    })
  return learnt
}

async function offerWays(): Promise<void> {
  // The address of a tenant names it where it has no domain of its own; the number stays to be seen and corrected.
  const asked = query.get('tenant') ?? ''
  if (modes.tenantMode || asked) {
    const here = await tenantHere()
    input('tenant').value = here || asked
    byId('tenant-field').hidden = here !== ''
  }
  // Providers elsewhere would take the frame away, and do not show themselves in one.
  if (!isOver()) await offer()
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
  byId('form').addEventListener('input', () => calculates() && !asking && calculateAhead())
  byId('form').addEventListener('input', () => void fetchAhead(), { once: true })
  byId('reveal').addEventListener('click', reveal)
  byId('tenant').addEventListener('change', () => void offer())
  byId('by-password').addEventListener('click', () => go('password'))
  byId('by-sms').addEventListener('click', () => go('sms'))
  byId('back').addEventListener('click', () => go('password'))
  byId('send').addEventListener('click', () => void sendNow())
  byId('renew').addEventListener('click', () => void renewPicture())
  byId('recovery').addEventListener('click', () => askFor(true))
  byId('language').addEventListener('click', () => {
    toggle()
    language()
    say('')
    nameSite().catch(() => undefined)
  })
}

/** Starts the sign-in page: with a token it leaves at once. */
export function start(): void {
  document.documentElement.toggleAttribute('data-over', isOver())
  if (session.token() && !isOver()) {
    location.replace(location.origin + destination())
    return
  }
  const theme = localStorage.getItem('juxian-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  write()
  language()
  listen()
  // After the registration the page that was asked for is opened.
  const redirect = query.get('redirect')
  if (redirect) byId('register').querySelector('a')!.href = `/register?${new URLSearchParams({ redirect })}`
  // Whoever has just registered finds the account filled in.
  input('username').value = query.get('account') ?? ''
  if (query.has('expired')) say('用户令牌过期，请重新登录')
  // Whoever comes from a provider elsewhere goes on with the second half.
  const waiting = takeReturnState()?.factorToken
  if (waiting) goOn(waiting)
  const learnt = learnSite()
  learnt.then(offerWays).catch(() => undefined)
}
