import path from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page, Request } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type TestApp, type TestAppOptions, testApp } from '../helper/app.ts'
import { password, stayLoggedIn } from '../helper/login.ts'
import { launchBrowser, sizes } from './browser.ts'
import { chineseMet } from './untranslated.ts'
import { language, speak } from './words.ts'

/** Where pictures of failed tests go. */
const pictures = path.resolve(import.meta.dirname, '../../test-results/e2e')

/** Pages that stand still are where they will be when they are clicked. */
const still = { reducedMotion: 'reduce' } as const

/** A page with ears. */
export interface Opened {
  page: Page
  /** Grows with what its console calls an error. */
  complaints: string[]
  /** Resolves when no call of the page has been on its way for a moment. */
  quiet(): Promise<void>
}

/** A server that listens with the built pages, a browser, and a clock that can be moved on. */
export interface World {
  t: TestApp
  browser: Browser
  /** Address of the server. */
  url: string
  /** Moves the server's clock on to a time of Asia/Shanghai from where it keeps running, and keeps everybody signed in. */
  at(time: Date): Promise<void>
  /** Stops the server's clock at a time, and keeps everybody signed in: no time passes, however slow the machine is. */
  stopAt(time: Date): Promise<void>
  /** A page of its own, as on another machine. */
  open(size?: keyof typeof sizes, options?: BrowserContextOptions): Promise<Opened>
  /** What people who have chosen English met in Chinese although it has English. */
  untranslated(): string[]
  /** Takes a picture of every open page, named after a test that failed, and says where each stands and what it did last. */
  report(test: string): Promise<void>
  close(): Promise<void>
}

/** Opens a world on an empty database: tables, dictionaries, menus and the administrator. */
export async function openWorld(options: Pick<TestAppOptions, 'config' | 'url'> = {}): Promise<World> {
  let ahead = 0
  let stopped: Date | undefined
  const now = () => stopped ?? new Date(Date.now() + ahead)
  const t = await testApp({ ...options, config: { ...options.config, now } })
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await launchBrowser()
  const contexts: BrowserContext[] = []
  const stories = new Map<Page, string[]>()
  const met: (() => string[])[] = []
  const world: World = {
    t,
    browser,
    url,
    at: async time => {
      ahead = time.getTime() - Date.now()
      await stayLoggedIn(t)
    },
    stopAt: async time => {
      stopped = time
      await stayLoggedIn(t)
    },
    open: async (size = 'desk', more = {}) => {
      const context = await browser.newContext({ ...still, baseURL: url, locale: 'zh-CN', ...sizes[size], ...more })
      contexts.push(context)
      context.on('page', page => stories.set(page, story(page)))
      context.setDefaultTimeout(60_000)
      if (language() === 'en') met.push(await chineseMet(context))
      const page = await context.newPage()
      return { page, complaints: listen(page), quiet: calls(page) }
    },
    untranslated: () => [...new Set(met.flatMap(texts => texts()))],
    report: async test => {
      for (const [i, page] of contexts.flatMap(context => context.pages()).entries()) {
        await page.screenshot({ path: path.join(pictures, `${test}-${language()}-${i + 1}.png`) })
        const alerts = (await page.getByRole('alert').allInnerTexts()).map(text => `says: ${text}`)
        console.info([`${test}: page ${i + 1} at ${page.url()}`, ...(stories.get(page) ?? []), ...alerts].join('\n  '))
      }
    },
    close: async () => {
      openWorlds.delete(world)
      for (const context of contexts) await context.close()
      await browser.close()
      await t.close()
    },
  }
  openWorlds.add(world)
  return world
}

/** The worlds that are open now. */
const openWorlds = new Set<World>()

/** Reports every open world for a test that failed. */
export async function reportWorlds(test: string): Promise<void> {
  for (const world of openWorlds) await world.report(test)
}

/** What a page did last: where it went, what it was answered, what it called an error, and what it said. */
const LAST = 20

function story(page: Page): string[] {
  const told: string[] = []
  const tell = (line: string): void => {
    told.push(`${new Date().toISOString().slice(11, 23)} ${line}`)
    if (told.length > LAST) told.shift()
  }
  page.on('framenavigated', frame => frame === page.mainFrame() && tell(`at ${frame.url()}`))
  page.on('console', message => message.type() === 'error' && tell(message.text()))
  page.on('pageerror', error => tell(String(error)))
  page.on('requestfailed', request => tell(`${request.method()} ${request.url()} ${request.failure()?.errorText}`))
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/')) tell(`${response.request().method()} ${pathname} ${response.status()}`)
  })
  return told
}

function listen(page: Page): string[] {
  const found: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') found.push(message.text())
  })
  page.on('pageerror', error => found.push(String(error)))
  return found
}

/** Milliseconds without a call or a script after which a page is taken to have asked for all it wants. */
const MOMENT = 150

function calls(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let last = Date.now()
  const ended = (request: Request) => {
    if (open.delete(request)) last = Date.now()
  }
  page.on('request', request => {
    if (request.url().includes('/api/') || request.resourceType() === 'script') open.add(request)
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async () => {
    last = Date.now()
    while (open.size > 0 || Date.now() - last < MOMENT) await page.waitForTimeout(30)
  }
}

/** The sign-in page has a dictionary of its own. */
const entry = {
  zh: { account: '账号', secret: '密码', enter: '登录' },
  en: { account: 'Account', secret: 'Password', enter: 'Sign in' },
}

/** Opens the sign-in page; who wants English chooses it there, once for this browser. */
export async function openSignIn(page: Page): Promise<void> {
  await page.goto('/login')
  const switcher = page.getByRole('button', { name: 'English' })
  if (language() === 'en' && (await switcher.isVisible())) await switcher.click()
}

/** Signs somebody in by the page. */
export async function signIn(_world: World, page: Page, account: string, plain = password): Promise<void> {
  await openSignIn(page)
  await fillSignIn(page, account, plain)
  await page.waitForURL(address => !address.pathname.startsWith('/login'))
}

/** Fills in a sign-in page that is open, alone or in a frame, and sends it. */
export async function fillSignIn(page: Page | FrameLocator, account: string, plain = password): Promise<void> {
  const words = entry[language()]
  await page.getByLabel(words.account, { exact: true }).fill(account)
  await page.getByLabel(words.secret, { exact: true }).fill(plain)
  await page.getByRole('button', { name: words.enter, exact: true }).click()
}

/** A world for all tests of a file. Each begins in Chinese. */
export function sharedWorld(): { readonly world: World } {
  let world: World | undefined
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.close())
  afterEach(() => speak('zh'))
  return {
    get world() {
      if (!world) throw new Error('The world is opened before the first test.')
      return world
    },
  }
}
