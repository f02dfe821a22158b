import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import { sizes } from '../../tests/e2e/browser.ts'

/** A slow phone's line and processor: 1.6 Mbit/s, 150 ms for a round trip, four times slower than this machine. */
const line = { offline: false, downloadThroughput: 200_000, uploadThroughput: 90_000, latency: 150 }
const slowdown = 4

/** Milliseconds that a pointer rests on what it is about to press. */
const rest = 200

/** Milliseconds in which the browser tidies up after a window: the next one, of whomever, is not to wait for that. */
const pause = 1500

/** What tells that a page is there: an element with a text, and as many like it beside it as there must be. */
export interface Sign {
  selector: string
  text?: string
  least?: number
}

/** One page of one contestant. */
export interface Shown {
  /** Milliseconds from the start of the navigation, or from the press, until it was painted. */
  time: number
  /** Bytes of all that travelled until then, calls included. */
  bytes: number
  requests: number
}

/** Runs in the page: notes when the sign is there and painted. */
function watch({ selector, text = '', least = 1 }: Sign): void {
  const notes = window as unknown as { shown?: number; pressed?: number }
  notes.shown = undefined
  addEventListener('click', event => (notes.pressed = event.timeStamp), { capture: true, once: true })
  const look = (): void => {
    // Pages of other tabs may stand hidden in the same document: what is meant tells its text.
    const found = [...document.querySelectorAll(selector)].find(one => one.textContent?.includes(text))
    const together = [...(found?.parentElement?.children ?? [])].filter(one => one.matches(selector))
    if (together.length < least || !found?.getClientRects().length) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => (notes.shown = performance.now())))
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
}

const until = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => (window as unknown as { shown?: number }).shown !== undefined, undefined, {
    polling: 50,
    timeout: 90_000,
  })

/** A browser window on a slow phone that has loaded nothing yet. */
export class SlowWindow {
  readonly page: Page
  readonly #context: BrowserContext
  readonly #url: string
  #bytes = 0
  #requests = 0

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context
    this.#url = url
    this.page = page
  }

  /**
   * @param url where its pages are
   * @param storage what the browser has kept of its person, by key
   */
  static async open(browser: Browser, url: string, storage: Record<string, string> = {}): Promise<SlowWindow> {
    const context = await browser.newContext({ locale: 'zh-CN', ...sizes.desk })
    await context.addInitScript(kept => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
    }, storage)
    const page = await context.newPage()
    const opened = new SlowWindow(context, page, url)
    await opened.#throttle(await context.newCDPSession(page))
    return opened
  }

  async #throttle(wire: CDPSession): Promise<void> {
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
      this.#bytes += encodedDataLength
      this.#requests += 1
    })
    await wire.send('Network.enable')
    await wire.send('Network.emulateNetworkConditions', line)
    await wire.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  }

  async #counted(work: () => Promise<number>): Promise<Shown> {
    const [bytes, requests] = [this.#bytes, this.#requests]
    const time = await work()
    return { time, bytes: this.#bytes - bytes, requests: this.#requests - requests }
  }

  /** Opens an address and waits for the sign. */
  visit(address: string, sign: Sign): Promise<Shown> {
    return this.#counted(async () => {
      await this.page.addInitScript(watch, sign)
      await this.page.goto(this.#url + address, { waitUntil: 'commit' })
      await until(this.page)
      return this.page.evaluate(() => (window as unknown as { shown: number }).shown)
    })
  }

  /** Points at something, presses it, and waits for the sign. */
  press(target: string, sign: Sign): Promise<Shown> {
    return this.#counted(async () => {
      await this.page.evaluate(watch, sign)
      await this.page.locator(target).first().hover()
      await this.page.waitForTimeout(rest)
      await this.page.locator(target).first().click()
      await until(this.page)
      return this.page.evaluate(() => {
        const { shown = 0, pressed = 0 } = window as unknown as { shown?: number; pressed?: number }
        return shown - pressed
      })
    })
  }

  /** Waits until nothing has travelled for a second. */
  async calm(): Promise<void> {
    for (let before = -1; before !== this.#requests; ) {
      before = this.#requests
      await this.page.waitForTimeout(1000)
    }
  }

  async close(): Promise<void> {
    await this.#context.close()
    await new Promise(done => setTimeout(done, pause))
  }
}
