import { act, cleanup, configure, fireEvent, render } from '@testing-library/react'
import { AxiosError, type InternalAxiosRequestConfig } from 'axios'
import Fastify, { type FastifyInstance } from 'fastify'
import { BrowserRouter } from 'react-router-dom'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Resource } from '#engine'
import { resources } from '#resources'
import { session, type TokenAnswer } from '../../src/platform/http/browser/session.ts'
import clock from '../../src/platform/http/server/clock.ts'
import envelope from '../../src/platform/http/server/envelope.ts'
import gateway from '../../src/platform/http/server/gateway.ts'
import { startLanguage } from '../../src/platform/i18n/i18n.ts'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { catalogue } from '../../src/screens/definitions.ts'
import type { PageRoute } from '../../src/screens/parts/route.ts'
import { reloadRights } from '../../src/screens/providers/rights.ts'
import { ErrorBoundary } from '../../src/screens/window/ErrorBoundary.tsx'
import { Appearance } from '../../src/web/chrome/Appearance.tsx'
import { chromePages } from '../../src/web/chrome/routes.ts'
import { pages } from '../../src/web/pages.ts'
import { AppRoutes } from '../../src/web/routes.tsx'
import { bladeServer, known, sessionOf } from '../helper/blade.ts'
import '../helper/drawing-page.ts'

/** Our pages in front of a Blade server that knows the calls of the table and no others. */

/** What jsdom lacks of a browser: the pages ask for it while they are loaded. */
await vi.hoisted(async () => {
  const { default: axios } = await import('axios')
  axios.defaults.adapter = config => (globalThis as unknown as { wire: (given: typeof config) => never }).wire(config)
  class Observer {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
    takeRecords(): [] {
      return []
    }
  }
  const listen = {
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }
  Object.assign(globalThis, {
    ResizeObserver: Observer,
    IntersectionObserver: Observer,
    scrollTo: () => undefined,
    matchMedia: (media: string) => ({ matches: false, media, ...listen }),
  })
  Element.prototype.scrollIntoView = () => undefined
})
configure({ asyncUtilTimeout: 30_000 })

const server = bladeServer()
let door: FastifyInstance
let running = 0
let broken: string[] = []

/** The same seam as in other tests of pages; behind it stands the gateway, and behind that the other server. */
function connect(): void {
  const wire = async (config: InternalAxiosRequestConfig) => {
    const { method = 'get', url = '', params, data, headers, responseType } = config
    const query = new URLSearchParams(JSON.parse(JSON.stringify(params ?? {})) as Record<string, string>)
    running++
    try {
      const answer = await door.inject({
        method: method.toUpperCase() as 'GET',
        url: `/api${url}?${query}`,
        headers: headers.toJSON() as Record<string, string>,
        ...(data !== undefined && { payload: String(data) }),
      })
      const type = String(answer.headers['content-type'] ?? '')
      const body =
        responseType === 'blob'
          ? new Blob([answer.payload], { type })
          : type.includes('json')
            ? answer.json()
            : answer.payload
      const reply = { data: body, status: answer.statusCode, statusText: '', headers: answer.headers, config }
      if (config.validateStatus && !config.validateStatus(answer.statusCode))
        throw new AxiosError('status', 'ERR', config)
      return reply as never
    } finally {
      running--
    }
  }
  Object.assign(globalThis, { wire })
}

beforeAll(async () => {
  const bladeApi = await server.app.listen({ port: 0, host: '127.0.0.1' })
  door = Fastify({ exposeHeadRoutes: false })
  await door.register(clock, { config: { now: () => new Date() } as never })
  await door.register(envelope)
  await door.register(gateway, { bladeApi, bladeClient: known.client, bladePublicKey: server.publicKey })
  await door.ready()
  connect()
  await startLanguage()
  addEventListener('error', event => broken.push(String(event.error ?? event.message)))
  addEventListener('unhandledrejection', event => broken.push(String(event.reason)))
})
afterAll(async () => {
  cleanup()
  await door.close()
  await server.app.close()
})

const pause = (time: number) => new Promise(done => setTimeout(done, time))

/** What stands hidden behind the page that is shown: pages of other tabs, and a window behind a bare page. */
const HIDDEN = '[style*="display: none"]'
const isVisible = (one: Element): boolean => !one.closest(HIDDEN)
const visible = (selector: string): Element[] => [...document.querySelectorAll(selector)].filter(isVisible)

/** {@link HIDDEN} of one element. jsdom takes long to compare one with a selector, and there are many. */
const isHidden = (one: Element): boolean => one.getAttribute('style')?.includes('display: none') === true

/** The words that a person sees. */
function visibleText(of: Node = document.body): string {
  if (of instanceof Element && (isHidden(of) || /^(script|style)$/i.test(of.tagName))) return ''
  return of instanceof Text ? of.data : [...of.childNodes].map(visibleText).join('')
}

/** What shows that something is still on its way. */
const WAITS = '.skeleton, .ant-skeleton-active, .ant-spin-spinning'

/** Waits until nothing has been asked for a moment, and what shows that something is on its way is gone; not for ever. */
async function quiet(): Promise<void> {
  for (let calm = 0, left = 200; calm < 4 && left > 0; left--) {
    await act(async () => {
      await vi.dynamicImportSettled()
      await pause(10)
    })
    calm = running === 0 && visible(WAITS).length === 0 ? calm + 1 : 0
  }
}

/** What a person must never meet because the other server lacks a call. */
const troubles = [
  '页面出错了',
  '数据没有加载出来',
  '系统错误',
  '没找到请求',
  '加载失败',
  '没有加载',
  'NaN',
  'undefined',
  'Invalid Date',
  '暂时连不上',
  '[object',
]

/** What is wrong with what stands before a person. */
function wrongWith(): string[] {
  const text = visibleText()
  const words = text.match(/所连接的系统没有/g)?.length ?? 0
  return [
    ...troubles.filter(one => text.includes(one)),
    ...visible(WAITS).map(one => `waits: ${one.className}`),
    ...visible('.ant-message-error, .ant-result-error, .ant-alert-error').map(one => `error: ${one.textContent}`),
    ...(text.trim().length < 2 ? ['empty'] : []),
    ...(words > 1 ? [`${words} words about what is missing`] : []),
    ...broken,
  ]
}

/** Addresses of the application for somebody: every page made by hand, and generated screens that draw all that such screens draw. */
function addressesOf(audience: 'staff' | 'candidate'): string[] {
  const isFor = (one: PageRoute) =>
    one.audience ? one.audience === audience : audience === 'staff' || (one.access ?? 'menu') !== 'menu'
  const made = [...pages, ...chromePages].filter(isFor).map(one => one.path)
  const generated = catalogue().map(one => one.screen)
  const groups = new Set(menus.map(one => one.parent))
  const isOwn = ({ code }: { code: string }) => code.startsWith('my_') === (audience === 'candidate')
  const listed = menus
    .filter(one => isOwn(one) && !groups.has(one.code) && one.category === 1)
    .map(one => one.path ?? '')
    .filter(one => !generated.includes(one))
  return [...new Set([...made, ...listed, ...(audience === 'staff' ? fewScreens() : [])])].map(one =>
    one.replace(/:\w+/g, '1'),
  )
}

/** The window, as it is after signing in. */
async function begin(who: 'staff' | 'candidate'): Promise<void> {
  cleanup()
  session.begin(sessionOf(known.people[who === 'staff' ? 0 : 1]) as TokenAnswer)
  await reloadRights()
  document.body.replaceChildren()
  history.replaceState({ idx: 0 }, '', '/wel/index')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  render(
    <Appearance>
      <ErrorBoundary>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </ErrorBoundary>
    </Appearance>,
  )
  await quiet()
}

/** Messages do not leave by themselves where nothing moves: those of the step before are taken away. */
const forget = (): void => {
  for (const one of document.querySelectorAll<HTMLElement>('.ant-message-notice-wrapper, .ant-message-notice'))
    one.style.display = 'none'
}

/** Goes to an address in the same window, and leaves one tab behind. Answers what is wrong there. */
async function open(address: string): Promise<string[]> {
  broken = []
  forget()
  for (const close of document.querySelectorAll<HTMLElement>('.tabs li:not([data-active]) button')) close.click()
  history.pushState({}, '', address)
  dispatchEvent(new PopStateEvent('popstate'))
  await quiet()
  return wrongWith()
}

/** Addresses of pages without a window around them. */
const bare = new RegExp(
  `^(${[...pages, ...chromePages].flatMap(one => (one.frame === 'bare' ? one.path.replace(/:\w+/g, '[^/]+') : [])).join('|')})$`,
)
/** Addresses that said that the answers were of another shape than theirs. */
let unlike: string[] = []

/** What is wrong at addresses, by address. */
async function walk(addresses: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const address of addresses) {
    const wrong = await open(address)
    if (visibleText().includes('没有本页所需的数据')) unlike.push(address)
    else if (!bare.test(location.pathname) && visible('.tabs, .candidate-nav, nav').length === 0)
      wrong.push('no window around it')
    if (wrong.length > 0) found[address] = wrong
  }
  return found
}

const buttonsAt = (selector: string): HTMLElement[] => visible(selector) as HTMLElement[]
const named = (buttons: HTMLElement[], name: string) => buttons.find(one => one.textContent.replace(/\s/g, '') === name)

/** Shuts whatever window stands before the page. */
async function shut(): Promise<void> {
  for (const close of buttonsAt('.ant-modal-close, .ant-drawer-close')) act(() => close.click())
  await quiet()
  for (const button of buttonsAt('.ant-modal-confirm-btns button:not(.ant-btn-primary)')) act(() => button.click())
  await act(() => pause(0))
}

/** Opens what a list offers, one window after the other: a new row, and what stands at its first row. What is wrong with each. */
async function windows(address: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  await open(address)
  const labels = buttonsAt('main .row-buttons')[0]?.querySelectorAll('button:not([aria-haspopup])') ?? []
  for (const name of ['新增', ...[...labels].map(one => one.textContent)]) {
    const button = named(buttonsAt(name === '新增' ? 'main button' : 'main .row-buttons button'), name)
    if (!button) continue
    broken = []
    forget()
    act(() => button.click())
    await quiet()
    const wrong = wrongWith()
    if (wrong.length > 0) found[`${address} ${name}`] = wrong
    if (location.pathname === address) await shut()
    else await open(address)
  }
  return found
}

/** What a screen draws in ways of its own: kinds of fields and inputs, tables of rows that depend on its own, dialogs. */
function waysOf({ entity, actions, children }: Resource): string[] {
  const fields = Object.values(entity.properties).filter(one => !one.hidden)
  const asked = Object.values(actions as Record<string, { input?: unknown; ask?: unknown }>)
  return [
    ...fields.map(one => `kind ${one.kind}`),
    ...(children.length ? ['children'] : []),
    ...asked.map(one => (one.input || one.ask ? 'dialog of an action' : 'action')),
  ]
}

/** Screens that draw everything that any screen draws, as few as will do: each new way brings a screen with it. */
function fewScreens(): string[] {
  const left = new Set(resources.flatMap(waysOf))
  const chosen: string[] = []
  while (left.size > 0) {
    const gain = (one: Resource) => new Set(waysOf(one).filter(way => left.has(way))).size
    const [best] = resources.toSorted((a, b) => gain(b) - gain(a))
    for (const way of waysOf(best!)) left.delete(way)
    chosen.push(catalogue().find(one => one.name === best!.name)!.screen)
  }
  return chosen
}

/** What proxies and frameworks answer where our server has an envelope; what is missing last, for pages remember it. */
const plain = [
  [200, 'text/html', '<!doctype html><p>Welcome to nginx!</p>'],
  [502, 'text/html', '<!doctype html><p>Bad Gateway</p>'],
  [503, 'application/json', '{"status":503,"error":"Service Unavailable"}'],
  [404, 'text/html', '<!doctype html><p>nginx</p>'],
  [404, 'text/plain', '404 page not found'],
  [404, 'application/json', '{"timestamp":"2026-11-22","status":404,"error":"Not Found","path":"/x"}'],
] as const

/** Pages of each kind: a generated list, an own page, a detail, a dashboard, and pages of candidates. */
const few = {
  staff: ['/system/param', '/info/index', '/system/role/grant/1', '/wel/dashboard', '/ticket/allot', '/work/todo'],
  candidate: ['/signup/examList', '/signup/mySignup', '/signup/notice', '/signup/form/1'],
} as const

describe.each(['staff', 'candidate'] as const)('%s', who => {
  beforeAll(() => begin(who))
  afterEach(() => server.answerAll(undefined))

  test.each(plain)('are told of a server that answers %i %s', async (status, type, body) => {
    const word = status === 404 ? /所连接的系统没有/ : status === 200 ? /返回的不是数据/ : /暂时无法连接/
    server.answerAll({ status, type, body })
    const wrong: Record<string, unknown[]> = {}
    for (const address of few[who]) {
      await open(address)
      const text = visibleText()
      const meets = text.match(/页面出错了|undefined|暂无数据|Welcome|nginx|Gateway/g) ?? []
      const found = [...meets, ...visible(WAITS), ...broken, ...(word.test(text) ? [] : ['says nothing'])]
      if (found.length > 0) wrong[address] = [...found, text.slice(-80)]
    }
    expect(wrong).toEqual({})
  })
})

/** Pages that live on one answer whose shape the specification leaves open: they say that they cannot draw another's. */
const shapeless = [
  '/examine/info/1',
  '/pay/statistics',
  '/result/final',
  '/statistics/index',
  '/statistics/screen',
  '/signup/examList',
  '/signup/exam/1',
  '/signup/form/1',
  '/signup/mySignup/1',
]

describe.each(['staff', 'candidate'] as const)('%s', who => {
  beforeAll(() => begin(who))

  test('no page of the application fails, waits for ever, is empty, or says more than one quiet word', async () => {
    const addresses = addressesOf(who)
    expect(addresses.length).toBeGreaterThan(25)
    unlike = []
    expect(await walk(addresses)).toEqual({})
    expect(unlike.filter(one => !shapeless.includes(one))).toEqual([])
  })
})

test('forms, details and what stands at a row open without failing', async () => {
  await begin('staff')
  for (const address of fewScreens()) expect(await windows(address)).toEqual({})
})

test('the own password is changed in the form that such a server reads, and contact data without a proof it does not ask for', async () => {
  await begin('candidate')
  expect(await open('/info/index')).toEqual([])
  const type = (id: string, value: string) =>
    fireEvent.change(document.getElementById(id) as Element, { target: { value } })
  type('oldPassword', known.password)
  type('newPassword', 'Juxian@2027x')
  type('newPassword1', 'Juxian@2027x')
  const press = async (label: string) => {
    const button = buttonsAt('main button').findLast(one => one.textContent.replace(/\s/g, '') === label)
    await act(async () => button?.click())
    await quiet()
  }
  await press('修改密码')
  expect(server.received('/blade-system/user/update-password')).toEqual([
    { oldPassword: known.password, newPassword: 'Juxian@2027x', newPassword1: 'Juxian@2027x' },
  ])
  expect(visibleText()).toContain('密码已修改')
  type('email', 'a@example.org')
  expect(document.getElementById('password')).toBeNull()
  await press('保存')
  expect(server.received('/blade-system/user/update-info')).toEqual([{ email: 'a@example.org' }])
})

test('what the table lacks is said with one quiet word, and never with an error', async () => {
  await begin('staff')
  expect(await open('/exam/importtask')).toEqual([])
  // Asked for now or by a test before: what was heard is kept for a while.
  expect(server.unknown).toContain('GET /blade-exam/importtask/page')
  expect(visibleText().match(/所连接的系统没有此功能/g)).toHaveLength(1)
  // What it has is shown as ever.
  expect(await open('/system/param')).toEqual([])
  expect(visibleText()).toContain('参数名称1')
})
