import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sm2 } from 'sm-crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { soon } from '../../../tests/helper/soon.ts'
import { tokens } from '../../../tests/helper/wire.ts'

const keys = sm2.generateKeyPairHex()
const html = readFileSync('src/web/login.html', 'utf8')
const body = /<body>([\s\S]*)<\/body>/.exec(html)?.[1] ?? ''

/** A calculation whose result is 40. */
const work = { salt: 'salt&', maxnumber: 60, challenge: createHash('sha256').update('salt&40').digest('hex') }

interface Asked {
  path: string
  form: URLSearchParams
  headers: Record<string, string>
}

let asked: Asked[]
let answer: unknown
let site: Record<string, unknown>
/** The tenant that the page's domain belongs to. */
let here: string

const json = (value: unknown): Response => new Response(JSON.stringify(value))
const ok = (data: unknown): Response => json({ code: 200, success: true, data, msg: '' })

async function server(path: string, init: RequestInit = {}): Promise<Response> {
  asked.push({ path, form: init.body as URLSearchParams, headers: init.headers as Record<string, string> })
  if (path.endsWith('/public/site')) return ok(site)
  if (path.endsWith('/captcha'))
    return ok({ key: `picture-${calls('/captcha').length}`, image: 'data:image/png;base64,AA' })
  if (path.includes('/captcha')) return ok({ key: `key-${asked.length}`, image: '', work })
  if (path.endsWith('/public-key')) return ok({ keyId: '7', publicKey: keys.publicKey, serverTime: 1700, nonce: 'n' })
  if (path.includes('/tenant/info')) return ok(here ? { tenantId: here } : {})
  return json(answer)
}

const field = (id: string): HTMLInputElement => document.getElementById(id) as HTMLInputElement
const press = (): boolean => field('form').dispatchEvent(new Event('submit', { cancelable: true }))
const calls = (end: string): Asked[] => asked.filter(one => one.path.replace(/\?.*/, '').endsWith(end))
const fill = (values: Record<string, string>): void => {
  for (const [id, value] of Object.entries(values)) field(id).value = value
}

async function opened(): Promise<void> {
  vi.resetModules()
  const { start } = await import('./form.ts')
  start()
}

beforeEach(() => {
  localStorage.clear()
  document.body.innerHTML = body
  asked = []
  answer = {}
  here = ''
  site = { registerMode: false, captchaMode: true, tenantMode: false, title: '聚贤' }
  vi.stubGlobal('fetch', server)
})

afterEach(() => vi.unstubAllGlobals())

test('the password leaves encrypted and bound to the time and the nonce; nothing stands in the address', async () => {
  answer = tokens('one', { nick_name: '张主任' })
  await opened()
  fill({ username: 'admin', password: 'Juxian@2026' })
  press()
  await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
  const [call] = calls('/oauth/token')
  const cipher = call?.form.get('password') ?? ''
  expect(cipher).toMatch(/^[0-9a-f]+$/)
  expect(sm2.doDecrypt(cipher, keys.privateKey, 0)).toBe('Juxian@2026\n1700\nn')
  expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
    tenantId: '000000',
    username: 'admin',
    grant_type: 'captcha',
    scope: 'all',
    type: 'account',
    keyId: '7',
  })
  expect(call?.headers).toMatchObject({
    'Tenant-Id': '000000',
    'Captcha-Code': '40',
    Authorization: `Basic ${btoa('juxian-web:')}`,
  })
  expect(call?.headers['Captcha-Key']).toMatch(/^key-/)
})

test('a refusal stands at the form, keeps what was typed, calculates anew and points at what was wrong', async () => {
  answer = {
    error_code: 20002,
    error_description: '用户名或密码错误',
    code: 400,
    success: false,
    msg: '用户名或密码错误',
  }
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  await soon(() => expect(field('alert').textContent).toBe('用户名或密码错误'))
  expect(field('alert').hasAttribute('data-calm')).toBe(false)
  await soon(() => expect(calls('/captcha')).toHaveLength(2))
  expect(field('username').value).toBe('admin')
  expect(field('password').value).toBe('x')
  expect(document.activeElement?.id).toBe('password')
  expect(localStorage.getItem('juxian-access-token')).toBeNull()
})

test('nobody sees the calculation: it begins while one types, and one that came too late is done anew once', async () => {
  await opened()
  expect(calls('/captcha')).toEqual([])
  fill({ username: 'admin', password: 'x' })
  await soon(() => {
    field('username').dispatchEvent(new Event('input', { bubbles: true }))
    expect(calls('/captcha')).toHaveLength(1)
  })
  answer = { error_code: 20001, error_description: '验证码不正确' }
  press()
  await soon(() => expect(calls('/oauth/token')).toHaveLength(2))
  const keys = calls('/oauth/token').map(one => one.headers['Captcha-Key'])
  expect(new Set(keys).size).toBe(2)
  await soon(() => expect(field('alert').textContent).toBe('验证码不正确'))
  expect(calls('/oauth/token')).toHaveLength(2)
})

test('a body with error_description is no session, even with a token beside it', async () => {
  answer = { ...tokens('one'), error_description: '账号已停用', error_code: 20004 }
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  await soon(() => expect(field('alert').textContent).toBe('账号已停用'))
  expect(localStorage.getItem('juxian-access-token')).toBeNull()
})

test('who is quicker than the answer to what the site asks for is not asked for a captcha that it does not have', async () => {
  site = { ...site, captchaMode: false }
  answer = tokens('one')
  let name = (): void => undefined
  const named = new Promise<void>(resolve => {
    name = resolve
  })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (path.endsWith('/public/site')) await named
    return server(path, init)
  })
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  expect(field('submit').getAttribute('aria-busy')).toBe('true')
  name()
  await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
  expect(calls('/oauth/token')[0]?.form.get('grant_type')).toBe('password')
})

describe('a page that was told what the site is like', () => {
  function tell(facts: Record<string, unknown>): void {
    const told = (title: string, name: string) => ({
      ...site,
      ...facts,
      title,
      demoAccounts: [{ account: 'caiwu', name, password: 'x' }],
    })
    const text = JSON.stringify({ 'zh-CN': told('聚贤', '财务'), en: told('Juxian', 'Finance') })
    document.body.insertAdjacentHTML('beforeend', `<script type="application/json" id="site">${text}</script>`)
  }
  const shown = () => [
    document.querySelector('[data-site=title]')?.textContent,
    ...[...document.querySelectorAll('#demo button')].map(button => button.textContent),
  ]

  test('fits at once and asks nothing, in either language', async () => {
    tell({ registerMode: true })
    await opened()
    expect([field('register').hidden, ...shown()]).toEqual([false, '聚贤', '财务'])
    field('language').click()
    await soon(() => expect(shown()).toEqual(['Juxian', 'Finance']))
    expect(calls('/public/site')).toEqual([])
  })

  test('asks for no captcha where none is wanted', async () => {
    tell({ captchaMode: false })
    answer = tokens('one')
    vi.resetModules()
    const { start } = await import('./form.ts')
    start()
    fill({ username: 'admin', password: 'x' })
    press()
    await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
    expect(calls('/captcha')).toEqual([])
  })
})

test('who has to wait sees how many are ahead, and gets in without typing or calculating again', async () => {
  const queued = { queueTicket: 'ticket-1', ahead: 812, seconds: 9, retryAfter: 0.05 }
  answer = { error_code: 20034, error_description: '登录的人较多', data: queued }
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  await soon(() => expect(field('alert').textContent).toContain('前面约 812 人，约 9 秒'))
  expect(field('alert').hasAttribute('data-calm')).toBe(true)
  expect(field('submit').getAttribute('aria-busy')).toBe('true')
  expect([field('username').value, field('password').value]).toEqual(['admin', 'x'])
  answer = tokens('one')
  await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
  const [first, second] = [calls('/oauth/token')[0], calls('/oauth/token').at(-1)]
  expect([first?.form.get('queueTicket'), second?.form.get('queueTicket')]).toEqual([null, 'ticket-1'])
  expect(second?.form.get('password')).toBe(first?.form.get('password'))
  expect(calls('/public-key')).toHaveLength(1)
})

test('who has to wait keeps the place while the server is away', async () => {
  answer = { error_code: 20034, data: { queueTicket: 'ticket-1', ahead: 3, seconds: 9, retryAfter: 0.05 } }
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  await soon(() => expect(field('alert').textContent).toContain('前面约 3 人'))
  answer = { code: 503, msg: '系统繁忙，请稍后再试', data: {} }
  const before = calls('/oauth/token').length
  await soon(() => expect(calls('/oauth/token').length).toBeGreaterThan(before + 2))
  expect(field('alert').textContent).toContain('前面约 3 人')
  answer = tokens('one')
  await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
  expect(calls('/oauth/token').at(-1)?.form.get('queueTicket')).toBe('ticket-1')
})

test('a server with too much to do is asked again without a word from the person', async () => {
  answer = { code: 503, msg: '系统繁忙，请稍后再试', data: {} }
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  await soon(() => expect(field('alert').textContent).toBe('系统繁忙，正在自动重试'))
  expect([field('alert').hasAttribute('data-calm'), field('submit').getAttribute('aria-busy')]).toEqual([true, 'true'])
  answer = tokens('one')
  await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
  expect([calls('/oauth/token').length, calls('/public-key').length]).toEqual([2, 1])
})

test('pressing Enter twice submits once', async () => {
  answer = tokens('one')
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  press()
  await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
  expect(calls('/oauth/token')).toHaveLength(1)
})

test.each([
  [{}, '请输入账号', 'username'],
  [{ username: 'a' }, '请输入密码', 'password'],
])('what is missing is asked for before anything is sent: %j', async (values, text, id) => {
  await opened()
  fill(values)
  press()
  expect(field('alert').textContent).toBe(text)
  expect(document.activeElement?.id).toBe(id)
  expect(calls('/oauth/token')).toHaveLength(0)
})

test('without captcha mode the grant is password and no captcha is asked for', async () => {
  site = { ...site, captchaMode: false }
  answer = tokens('one')
  await opened()
  fill({ username: 'admin', password: 'x' })
  press()
  await soon(() => expect(calls('/oauth/token')[0]?.form.get('grant_type')).toBe('password'))
})

test('registration is offered only where the site is open for it', async () => {
  await opened()
  expect(field('register').hidden).toBe(true)
  site = { ...site, registerMode: true }
  await opened()
  await soon(() => expect(field('register').hidden).toBe(false))
})

test('the language changes at once and is remembered', async () => {
  await opened()
  field('language').click()
  expect(document.querySelector('h1')?.textContent).toBe('Sign in')
  expect(document.documentElement.lang).toBe('en')
  expect(localStorage.getItem('juxian-lang')).toBe('en')
  field('language').click()
  expect(document.querySelector('h1')?.textContent).toBe('登录')
})

test('what the server calls the site and its demo accounts follows the language', async () => {
  const of = (title: string, name: string) => ({
    ...site,
    title,
    demoAccounts: [{ account: 'caiwu', name, password: 'x' }],
  })
  const shown = () => [
    document.querySelector('[data-site=title]')?.textContent,
    ...[...document.querySelectorAll('#demo button')].map(button => button.textContent),
  ]
  site = of('聚贤', '财务')
  await opened()
  await soon(() => expect(shown()).toEqual(['聚贤', '财务']))
  site = of('Juxian', 'Finance')
  field('language').click()
  await soon(() => expect(shown()).toEqual(['Juxian', 'Finance']))
  expect(calls('/public/site').at(-1)?.headers['Accept-Language']).toBe('en')
})

describe('by a code on the phone', () => {
  async function openedSms(): Promise<void> {
    site = { ...site, smsMode: true }
    await opened()
    await soon(() => expect(field('by-sms').hidden).toBe(false))
    field('by-sms').click()
  }

  test('is offered only where codes can be sent', async () => {
    await opened()
    await soon(() => expect(document.querySelector('[data-site=title]')?.textContent).toBe('聚贤'))
    expect(field('by-sms').hidden).toBe(true)
  })

  test('the calculation comes first, then the code is asked for once a minute, and the session begins', async () => {
    await openedSms()
    press()
    expect(field('alert').textContent).toBe('请输入手机号码')
    fill({ phone: '12345' })
    field('send').click()
    expect(field('alert').textContent).toBe('手机号码格式错误')
    fill({ phone: '13912345678' })
    answer = { code: 200, success: true, data: { id: 'c0de' }, msg: '' }
    field('send').click()
    await soon(() => expect(field('sent').textContent).toContain('验证码已发送'))
    const [sent] = calls('/send-validate')
    expect(Object.fromEntries(sent?.form ?? [])).toEqual({ tenantId: '000000', phone: '13912345678', purpose: 'login' })
    expect(sent?.headers).toMatchObject({ 'Captcha-Code': '40' })
    expect([field('send').disabled, field('send').textContent]).toEqual([true, '60 秒后重发'])
    field('send').click()
    expect(calls('/send-validate')).toHaveLength(1)
    fill({ code: '123456' })
    answer = tokens('one')
    press()
    press()
    await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
    expect(calls('/oauth/token')).toHaveLength(1)
    expect(Object.fromEntries(calls('/oauth/token')[0]?.form ?? [])).toMatchObject({
      grant_type: 'sms_code',
      phone: '13912345678',
      codeId: 'c0de',
      value: '123456',
    })
  })

  test('a refusal keeps what was typed, here and in the other way', async () => {
    await openedSms()
    fill({ phone: '13912345678', code: '000000', username: 'admin' })
    answer = { error_code: 20007, error_description: '短信验证码错误或已失效' }
    press()
    await soon(() => expect(field('alert').textContent).toBe('短信验证码错误或已失效'))
    expect([document.activeElement?.id, field('phone').value]).toEqual(['code', '13912345678'])
    field('by-password').click()
    expect([field('alert').hidden, field('username').value]).toEqual([true, 'admin'])
  })
})

describe('a second factor', () => {
  async function half(): Promise<void> {
    await opened()
    fill({ username: 'admin', password: 'x' })
    answer = { error_code: 20030, error_description: '请输入动态验证码', data: { factorToken: 'half' } }
    press()
    await soon(() => expect(field('form').dataset.way).toBe('factor'))
  }

  test('is asked for after the password, without a session before it', async () => {
    await half()
    expect(localStorage.getItem('juxian-access-token')).toBeNull()
    expect([field('alert').hidden, document.activeElement?.id]).toEqual([true, 'factor'])
    await soon(() => expect(field('submit').getAttribute('aria-busy')).toBe('false'))
    press()
    expect(field('alert').textContent).toBe('请输入动态验证码')
    fill({ factor: '000000' })
    answer = { error_code: 20032, error_description: '动态验证码错误或已使用' }
    press()
    await soon(() => expect(field('alert').textContent).toBe('动态验证码错误或已使用'))
    expect([field('form').dataset.way, document.activeElement?.id]).toEqual(['factor', 'factor'])
    await soon(() => expect(field('submit').getAttribute('aria-busy')).toBe('false'))
    fill({ factor: '123456' })
    answer = tokens('one')
    press()
    await soon(() => expect(localStorage.getItem('juxian-access-token')).toBe('one'))
    const last = Object.fromEntries(calls('/oauth/token').at(-1)?.form ?? [])
    expect(last).toMatchObject({ factorToken: 'half', value: '123456', username: 'admin' })
    expect(last).not.toHaveProperty('password')
  })

  test('that takes too long leads back to the password', async () => {
    await half()
    await soon(() => expect(field('submit').getAttribute('aria-busy')).toBe('false'))
    fill({ factor: '123456' })
    answer = { error_code: 20033, error_description: '登录已超时，请重新输入密码' }
    press()
    await soon(() => expect(field('alert').textContent).toBe('登录已超时，请重新输入密码'))
    expect([field('form').dataset.way, field('username').value]).toEqual(['password', 'admin'])
  })
})

test('every text of the page has its English', async () => {
  const texts = readdirSync('src/web/login')
    .filter(file => !file.includes('.test.'))
    .map(file => readFileSync(`src/web/login/${file}`, 'utf8'))
  const words = texts.flatMap(text => [
    ...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/'([^'\n]*\p{Script=Han}[^'\n]*)'/gu),
  ])
  await opened()
  field('language').click()
  const { t } = await import('./texts.ts')
  const shown = [...document.querySelectorAll<HTMLElement>('[data-t], [data-label], [data-name]')]
  const marked = shown.map(({ dataset }) => dataset.t ?? dataset.label ?? dataset.name ?? '')
  const all = [...words.map(word => word[1] ?? ''), ...marked]
  expect(all.length).toBeGreaterThan(60)
  expect(all.filter(text => text !== '中文' && t(text) === text && /\p{Script=Han}/u.test(text))).toEqual([])
})

describe('the address of a tenant', () => {
  afterEach(() => history.replaceState(null, '', '/'))
  const signedIn = async (address: string, tenantMode: boolean) => {
    history.replaceState(null, '', address)
    site = { ...site, tenantMode }
    answer = { error_code: 20002, error_description: '用户名或密码错误' }
    await opened()
    await soon(() => expect(calls('/oauth/outside').length + calls('/tenant/info').length).toBeGreaterThan(0))
    await new Promise(done => setTimeout(done, 20))
    fill({ username: 'admin', password: 'x' })
    press()
    await soon(() => expect(calls('/oauth/token')).toHaveLength(1))
    return [calls('/oauth/token')[0]?.form.get('tenantId'), field('tenant-field').hidden]
  }

  test.each([true, false])('chooses the tenant, which can still be corrected; asked for otherwise: %s', async mode => {
    expect(await signedIn('/login?tenant=123456', mode)).toEqual(['123456', false])
  })

  test('does not override the domain', async () => {
    here = '654321'
    expect(await signedIn('/login?tenant=123456', true)).toEqual(['654321', true])
  })
})

test('a server that gives pictures instead of calculations has its picture read, and another one after a refusal', async () => {
  site = { ...site, captchaPicture: true }
  answer = { error_code: 2001, error_description: '验证码不正确' }
  await opened()
  await soon(() => expect(document.querySelector<HTMLImageElement>('#renew img')?.src).toContain('data:image/png'))
  expect(field('picture-field').hidden).toBe(false)
  fill({ username: 'admin', password: 'Juxian@2026' })
  press()
  await soon(() => expect(field('alert').textContent).toBe('请输入图中的验证码'))
  expect(calls('/oauth/token')).toEqual([])
  fill({ picture: 'ab3de' })
  press()
  await soon(() => expect(calls('/captcha')).toHaveLength(2))
  const [first] = calls('/oauth/token')
  expect(first?.headers).toMatchObject({ 'Captcha-Key': 'picture-1', 'Captcha-Code': 'ab3de' })
  expect(first?.form.get('grant_type')).toBe('captcha')
  expect(field('picture').value).toBe('')
  answer = tokens('one', {})
  fill({ picture: 'xy3zz' })
  press()
  await soon(() => expect(calls('/oauth/token')).toHaveLength(2))
  expect(calls('/oauth/token')[1]?.headers).toMatchObject({ 'Captcha-Key': 'picture-2', 'Captcha-Code': 'xy3zz' })
})
