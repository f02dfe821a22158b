import type { CDPSession, Page } from '@playwright/test'
import { catalogue } from '../../src/screens/definitions.ts'

/** Addresses of thirty generated lists. */
export const lists: readonly string[] = [
  ...new Set(
    catalogue()
      .map(one => one.screen)
      .filter(screen => /^\/(system|log|exam|pay|ticket|send|notice)\//.test(screen)),
  ),
].slice(0, 30)

/** What a page holds once its garbage has been collected. */
export interface Held {
  /** Bytes of JavaScript's objects. */
  heap: number
  /** Nodes of documents, those included that nobody sees any more. */
  nodes: number
}

async function measure(page: Page, wire: CDPSession): Promise<Held> {
  // What is kept for a moment, such as an animation's end, goes first.
  await page.waitForTimeout(3000)
  for (let turn = 0; turn < 3; turn++) await wire.send('HeapProfiler.collectGarbage')
  const { usedSize } = await wire.send('Runtime.getHeapUsage')
  const { nodes } = await wire.send('Memory.getDOMCounters')
  return { heap: usedSize, nodes }
}

/** Opens each address in a tab of the console, as a link would. */
async function openAll(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.evaluate(to => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, address)
    await page.waitForTimeout(700)
  }
}

const tabs = (page: Page): Promise<number> =>
  page.evaluate(() => (JSON.parse(sessionStorage.getItem('juxian-tabs') ?? '[]') as unknown[]).length)

async function closeAll(page: Page, least: number): Promise<void> {
  const opened = await tabs(page)
  if (opened < least) throw new Error(`Only ${opened} of ${least} lists are open.`)
  const close = page.locator('.tabs [aria-label^="关闭 "]')
  for (let left = await close.count(); left > 0; left = await close.count()) await close.last().click({ force: true })
  if ((await tabs(page)) > 1) throw new Error('Tabs stay open.')
}

/**
 * What the console holds before and after lists were opened and closed. Both times every list has been opened before: what a
 * list is made of stays, for it is the program.
 */
export async function heapAfter(page: Page, addresses: readonly string[]): Promise<{ before: Held; after: Held }> {
  const wire = await page.context().newCDPSession(page)
  await page.locator('.tabs').waitFor()
  await openAll(page, addresses)
  await closeAll(page, addresses.length)
  const before = await measure(page, wire)
  await openAll(page, addresses)
  await closeAll(page, addresses.length)
  return { before, after: await measure(page, wire) }
}
