import type { Browser } from '@playwright/test'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modules } from '#resources'
import { buildApp } from '../../src/server/app.ts'
import { testConfig } from '../helper/app.ts'
import { bladeServer, known } from '../helper/blade.ts'
import { launchBrowser, sizes } from './browser.ts'

/** Our pages as they are built, in a browser, before a Blade server that knows the calls of the table and no others. */

const other = bladeServer()
let front: FastifyInstance
let browser: Browser
let url: string

beforeAll(async () => {
  const bladeApi = await other.app.listen({ port: 0, host: '127.0.0.1' })
  front = await buildApp(testConfig({ bladeApi, bladeClient: known.client, bladePublicKey: other.publicKey }))
  url = await front.listen({ port: 0, host: '127.0.0.1' })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await front?.close()
  await other.app.close()
})

/** Where the menu of the console leads; one page of each module unless all are asked for. */
const addresses = modules
  .map(({ path, pages = [], resources, views }) => [
    ...pages.map(one => one.path),
    ...[...views, ...resources].map(one => one.route ?? `${path}/${one.name}`),
  ])
  .flatMap(list => (process.env.EVERY ? list : list.slice(-1)))

test.each([
  ['desk', known.people[0], ['/wel/index', '/info/index', ...addresses]],
  ['phone', known.people[1], ['/wel/index', '/signup/examList', '/signup/mySignup', '/signup/ticket', '/info/index']],
] as const)('at a %s one signs in by its picture and its key, and no page fails', async (size, person, walked) => {
  const page = await browser.newPage({ ...sizes[size], baseURL: url, locale: 'zh-CN', reducedMotion: 'reduce' })
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(String(error)))
  // A phone is slower than this machine: pages are then left while they are still being drawn.
  if (size === 'phone')
    await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto('/login')
  await page.getByLabel('账号', { exact: true }).fill(person.account)
  await page.getByLabel('密码', { exact: true }).fill(known.password)
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('#renew img')?.naturalWidth)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${size}-login.png` })
  await page.getByLabel('图中的验证码').fill('ab3de')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL('**/wel/index')
  const wrong: Record<string, unknown> = {}
  for (const address of walked) {
    await page.evaluate(to => {
      for (const close of document.querySelectorAll<HTMLElement>('.tabs li:not([data-active]) button')) close.click()
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, address)
    await page.waitForFunction(() => {
      const waiting = document.querySelectorAll('.skeleton, .ant-skeleton-active, .ant-spin-spinning')
      const isWaiting = [...waiting].some(one => one.checkVisibility())
      return !isWaiting && [...document.querySelectorAll('main')].some(one => one.innerText.trim())
    })
    const text = await page.evaluate(() => document.body.innerText)
    const met = text.match(/页面出错了|系统错误|undefined|数据没有加载出来|暂时连不上/g)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (met || wide > 0) wrong[address] = { met, wide }
    if (process.env.SHOTS)
      await page.screenshot({ path: `${process.env.SHOTS}/${size}${address.replace(/\//g, '-')}.png` })
  }
  expect({ wrong, thrown }).toEqual({ wrong: {}, thrown: [] })
  await page.close()
})
