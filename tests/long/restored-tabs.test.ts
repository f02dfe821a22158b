import type { Browser, BrowserContext } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../e2e/browser.ts'
import { openWorld, signIn, type World } from '../e2e/world.ts'

/**
 * A browser that restores its tabs opens all of them at one moment, when the access token has long run out: one of them renews
 * it and the others take what it got. Over plain http at an address of the network the browser has no locks to ask for.
 */

/** The tabs that are restored. */
const tabs = ['/wel/index', '/system/param', '/system/role', '/info/index']

/** How often the browser is shut and opened again, at each address. */
const rounds = 6

let world: World
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  world = await openWorld()
  browser = await launchBrowser(['--host-resolver-rules=MAP juxian.test 127.0.0.1'])
})
afterEach(() => context?.close())
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

/** Access tokens run out now, while the browser is shut. */
const runOut = () =>
  world.t.db.updateTable('session_token').set({ until: world.t.app.now() }).where('kind', '=', 1).execute()

describe.each([
  ['the own machine', '127.0.0.1', true],
  ['an address of the network, over plain http', 'juxian.test', false],
])('at %s', (_name, host, hasLocks) => {
  test('four restored tabs stay signed in, by one renewal', async () => {
    context = await browser.newContext({ baseURL: world.url.replace('127.0.0.1', host), locale: 'zh-CN' })
    let asked = 0
    context.on('request', request => {
      if (/oauth\/token\b/.test(request.url())) asked++
    })
    const first = await context.newPage()
    await signIn(world, first, 'admin')
    expect(await first.evaluate(() => 'locks' in navigator)).toBe(hasLocks)
    await first.goto('about:blank')
    const renewals: number[] = []
    const out: string[] = []
    for (let round = 0; round < rounds; round++) {
      await runOut()
      asked = 0
      const restored = await Promise.all(tabs.map(() => context.newPage()))
      await Promise.all(restored.map((page, i) => page.goto(tabs[i]!)))
      for (const page of restored) {
        await page.locator('#main, .login-form, .tabs').first().waitFor()
        await page.waitForLoadState('networkidle')
        if (page.url().includes('/login') || (await page.locator('dialog iframe').count()) > 0) out.push(page.url())
      }
      renewals.push(asked)
      await Promise.all(restored.map(page => page.close()))
    }
    expect(out).toEqual([])
    // What a tab has stored may reach one that asks the moment after it a little late: the server answers that one, too.
    expect(renewals.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(rounds + 1)
    expect(renewals).not.toContain(0)
  })
})
