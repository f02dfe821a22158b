import type { Locator, Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { ExamStatus } from '#schemas/dictionaries'
import { makeUser, password } from '../helper/login.ts'
import { makeExam } from '../helper/sign-bench.ts'
import { fill } from './controls.ts'
import { openTab, screens } from './screens.ts'
import { tapsOn } from './taps.ts'
import { like, t } from './words.ts'
import { fillSignIn, sharedWorld, signIn } from './world.ts'

// What somebody has typed is there after whatever happens to the session, the tab or the browser.

const shared = sharedWorld()
const texts = { 参数名称: '写了一半', 参数键名: 'half.written', 参数键值: '一半' }
/** Somebody who may do the same as the administrator. */
const other = 'lingyiren'

beforeAll(() => makeUser(shared.world.t, { account: other, name: other, role: 'administrator' }))

/** A new page of the administrator, on the list of parameters. */
async function onParameters(): Promise<Page> {
  const { page } = await shared.world.open()
  await signIn(shared.world, page, 'admin')
  await page.goto('/system/param')
  return page
}

/** The form of a new parameter, once it is known what was kept of it. */
async function newParameter(page: Page): Promise<Locator> {
  const asked = page.waitForResponse(answer => answer.url().includes('/draft/list'))
  await page
    .getByRole('button', { name: t('新增') })
    .first()
    .click()
  await asked
  return page.getByRole('dialog', { name: t('新增{{name}}', { name: t('系统参数') }) })
}

/** Fills a form in and waits until the server keeps what was typed: nothing is on its way then. */
async function type(page: Page, form: Locator, given: Readonly<Record<string, string>>): Promise<void> {
  const last = Object.values(given).at(-1) ?? ''
  const kept = page.waitForResponse(
    answer => answer.url().endsWith('/draft/submit') && (answer.request().postData() ?? '').includes(last),
  )
  await fill(form, given)
  await kept
}

/** Ends every session, as one that nobody has used for long ends. */
const endSessions = () =>
  shared.world.t.db
    .updateTable('session')
    .set({ endTime: shared.world.t.app.now(), endReason: 'idle' })
    .where('endTime', 'is', null)
    .execute()

/** The values of the parameter that the tests make. */
const made = () =>
  shared.world.t.db.selectFrom('param').select('paramValue').where('paramKey', '=', texts.参数键名).execute()

/** Ends the process of a page at once, as a system that runs out of memory does. */
async function kill(page: Page): Promise<void> {
  const gone = page.waitForEvent('crash')
  const devtools = await page.context().newCDPSession(page)
  await Promise.race([gone, devtools.send('Page.crash')])
  await gone
}

const frame = (page: Page) => page.frameLocator('dialog iframe')

test('a form that is not saved keeps its tab when a thirteenth page is opened', async () => {
  const page = await onParameters()
  const form = await newParameter(page)
  await fill(form, { 参数名称: texts.参数名称 })
  const tabs = page.locator('.tabs a')
  const others = screens.filter(one => !one.isOwn && one.path !== '/system/param').slice(0, 12)
  for (const { path } of others) await openTab(page, path)
  expect(await tabs.count()).toBe(12)
  await openTab(page, '/system/param')
  expect(await form.getByLabel(t('参数名称')).inputValue()).toBe(texts.参数名称)
})

test('a session that ends over a form is signed in to again before it, and the save is sent by itself', async () => {
  const page = await onParameters()
  const taps = await tapsOn(page.context())
  await page.reload()
  const form = await newParameter(page)
  await type(page, form, texts)
  await endSessions()
  await form.getByRole('button', { name: t('保存') }).click()
  const over = page.getByRole('dialog', { name: t('用户令牌过期，请重新登录') })
  await over.waitFor()
  // Two things are left to do: the account is filled in.
  expect(await frame(page).getByLabel('账号', { exact: true }).inputValue()).toBe('admin')
  taps()
  await frame(page).getByLabel('密码', { exact: true }).fill(password)
  await frame(page).getByRole('button', { name: '登录', exact: true }).click()
  await over.waitFor({ state: 'detached' })
  await form.waitFor({ state: 'detached' })
  await page.getByText(texts.参数键名).waitFor()
  expect(taps()).toBe(2)
  expect(page.url()).toContain('/system/param')
  expect(await made()).toEqual([{ paramValue: texts.参数键值 }])
})

test('somebody else who signs in there has a fresh window, and finds nothing of what was typed', async () => {
  const page = await onParameters()
  const form = await newParameter(page)
  await type(page, form, { 参数名称: '别人的', 参数键值: '一半', 参数键名: 'of.another' })
  await endSessions()
  await form.getByRole('button', { name: t('保存') }).click()
  await page.getByRole('dialog', { name: t('用户令牌过期，请重新登录') }).waitFor()
  await frame(page).getByLabel('账号', { exact: true }).fill(other)
  await fillSignIn(frame(page), other)
  await page.getByRole('alert').filter({ hasText: other }).waitFor()
  const sent: string[] = []
  page.on('request', request => {
    if (/param.submit|draft/.test(request.url())) sent.push(request.postData() ?? '')
  })
  await page.getByRole('button', { name: t('丢弃并继续') }).click()
  await page.waitForURL('**/wel/index')
  expect(await page.locator('.tabs a').count()).toBe(1)
  await page.goto('/system/param')
  const own = await newParameter(page)
  await own.getByLabel(t('参数名称')).waitFor()
  expect(await own.getByLabel(t('参数名称')).inputValue()).toBe('')
  expect(await own.getByText(like('有 {{time}} 的草稿（{{n}} 项）')).count()).toBe(0)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('of.another')
  expect(sent.filter(body => body.includes('of.another'))).toEqual([])
})

test('what was typed into an exam before its tab was killed is restored on another computer; a password is kept nowhere', async () => {
  const { world } = shared
  const { exam } = await makeExam(world.t, { exam: { examStatus: ExamStatus.draft, signNotice: '<p>原来的须知</p>' } })
  const first = await world.open()
  await signIn(world, first.page, 'admin')
  const kept: string[] = []
  first.page.on('request', request => {
    if (request.url().endsWith('/draft/submit')) kept.push(request.postData() ?? '')
  })
  await first.page.goto('/system/user')
  await first.page
    .getByRole('button', { name: t('新增') })
    .first()
    .click()
  await type(first.page, first.page.getByRole('dialog'), { 密码: 'Geheim@2027', 登录账号: 'halfmade' })
  expect(kept.join()).toContain('halfmade')
  expect(kept.join()).not.toContain('Geheim@2027')
  expect(await first.page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Geheim@2027')
  await first.page.goto(`/exam/${exam.id}/edit`)
  const notice = first.page.getByRole('textbox', { name: t('报名须知') })
  await type(first.page, first.page.getByRole('main'), { 报名须知: '请如实填写，一人限报一个岗位。' })
  const typed = await notice.innerText()
  await kill(first.page)

  const second = await world.open()
  await signIn(world, second.page, 'admin')
  await second.page.goto(`/exam/${exam.id}/edit`)
  await second.page.getByText(like('有 {{time}} 的草稿（{{n}} 项）')).waitFor()
  const restored = second.page.getByRole('textbox', { name: t('报名须知') })
  expect(await restored.innerText()).toBe('原来的须知')
  await second.page.getByRole('button', { name: t('恢复') }).click()
  await expect.poll(() => restored.innerText()).toBe(typed)
})
