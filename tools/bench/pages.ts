import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { sizes } from '../../tests/e2e/browser.ts'

/** JavaScript that the first list may cost in all, in bytes as they travel: about what Refine's plain starter does. */
export const mostForList = 410 * 1024

/** JavaScript that the home of a candidate may cost in all, likewise. */
export const mostForHome = 236 * 1024

/** What a page had cost when it could be used. */
export interface Cost {
  /** Bytes of JavaScript that had come, compressed as they travelled. */
  script: number
  /** The same when the network had been quiet for {@link quiet} and nobody had touched anything. */
  whole: number
  /** Names of those files, without their hash. */
  files: readonly string[]
  /** Milliseconds from the start of the navigation. */
  time: number
}

/** Milliseconds without traffic after which a page has fetched what it fetches by itself. */
const quiet = 2000

/** A line of a slow phone, in bytes per second and milliseconds. */
const slow = { offline: false, downloadThroughput: 200_000, uploadThroughput: 90_000, latency: 150 }

/** Counts what travels for a page. */
async function meter(page: Page, isSlow: boolean) {
  const wire = await page.context().newCDPSession(page)
  const answers = new Map<string, { url: string; headers: Record<string, string> }>()
  const seen = { script: 0, files: [] as string[], open: new Set<string>(), last: 0 }
  const end = (requestId: string): void => {
    seen.open.delete(requestId)
    seen.last = performance.now()
  }
  wire.on('Network.requestWillBeSent', ({ requestId }) => seen.open.add(requestId))
  wire.on('Network.loadingFailed', ({ requestId }) => end(requestId))
  wire.on('Network.responseReceived', ({ requestId, response }) => answers.set(requestId, response))
  wire.on('Network.loadingFinished', ({ requestId }) => {
    end(requestId)
    const { url = '', headers = {} } = answers.get(requestId) ?? {}
    const [file] = /[^/]+\.js$/.exec(url) ?? []
    if (!file) return
    seen.script += Number(headers['content-length'] ?? headers['Content-Length'] ?? Number.NaN)
    seen.files.push(file.replace(/-[\w-]{7}\.js$/, ''))
  })
  await wire.send('Network.enable')
  if (!isSlow) return seen
  await wire.send('Network.emulateNetworkConditions', slow)
  await wire.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return seen
}

/**
 * Opens an address in a browser that has loaded nothing yet, waits until something can be seen, and then until nothing
 * travels any more.
 */
export async function openCold(
  browser: Browser,
  address: string,
  visible: string,
  { isSlow = false, ...options }: BrowserContextOptions & { isSlow?: boolean } = {},
): Promise<Cost> {
  const context = await browser.newContext({ locale: 'zh-CN', ...sizes.desk, ...options })
  try {
    const page = await context.newPage()
    const seen = await meter(page, isSlow)
    const begun = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await page.locator(visible).first().waitFor({ timeout: 60_000 })
    const cost = { script: seen.script, files: [...seen.files], time: performance.now() - begun }
    while (seen.open.size > 0 || performance.now() - seen.last < quiet) await page.waitForTimeout(100)
    return { ...cost, whole: seen.script }
  } finally {
    await context.close()
  }
}

/** Signs in by the page. Answers what the browser keeps of that, and the header that calls carry. */
export async function signIn(browser: Browser, url: string, account: string, password: string) {
  const context: BrowserContext = await browser.newContext({ locale: 'zh-CN', ...sizes.desk })
  try {
    const page = await context.newPage()
    const called = page.waitForRequest(request => Boolean(request.headers()['blade-auth']), { timeout: 60_000 })
    await page.goto(`${url}/login`)
    await page.getByLabel('账号', { exact: true }).fill(account)
    await page.getByLabel('密码', { exact: true }).fill(password)
    await page.getByRole('button', { name: '登录', exact: true }).click()
    const headers = { 'blade-auth': (await called).headers()['blade-auth'] ?? '' }
    return { headers, storageState: await context.storageState() }
  } finally {
    await context.close()
  }
}
