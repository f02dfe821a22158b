import { expect, test } from 'vitest'
import {
  ExamStatus,
  NoticeScope,
  NoticeStatus,
  PublicityKind,
  PublicityStatus,
  SignStatus,
} from '../../schemas/dictionaries.ts'
import { Examination } from '../../schemas/exams/examination.ts'
import { Notice } from '../../schemas/notices/notice.ts'
import { Publicity } from '../../schemas/publicity/publicity.ts'
import { Signup } from '../../schemas/sign-up/signup.ts'
import { candidatePages } from '../../src/web/candidate-routes.ts'
import { pages } from '../../src/web/pages.ts'
import { mostForHome, mostForList, openCold } from '../../tools/bench/pages.ts'
import { makeUser } from '../helper/login.ts'
import { insert } from '../helper/sample.ts'
import { barriers } from './axe.ts'
import { sizes } from './browser.ts'
import { lookAtScreens, some } from './every-screen.ts'
import { speak, t } from './words.ts'
import { openSignIn, sharedWorld, signIn } from './world.ts'

const shared = sharedWorld()
const DAY = 86_400_000

test('a first list fetches no more than it may, and its calendar only for who goes there', async () => {
  const { world } = shared
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  const address = `${world.url}/system/param`
  const storageState = await page.context().storageState()
  const cost = await openCold(world.browser, address, '.ant-table-row', { storageState })
  expect(cost.whole).toBeLessThan(mostForList)
  await page.goto(address)
  const bar = page.getByRole('search')
  await page.locator('.ant-table-row').first().waitFor()
  expect(page.url()).toBe(address)
  await bar.getByLabel('参数键名').focus()
  expect(await bar.locator('.ant-picker').count()).toBe(0)
  await page.keyboard.press('Tab')
  await bar.locator('.ant-picker').waitFor()
  const label = await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)
  expect(label).toBe('创建时间')
})

test('other screens open without a complaint, bar nobody and speak one language: phone, zh, light', async () => {
  const [opens, looks] = [some(0), some(0)]
  expect(
    await lookAtScreens(shared.world, { size: 'phone', language: 'zh', colorScheme: 'light', opens, looks }),
  ).toEqual({})
})

test('the home of a candidate with a sign-up fetches no more than it may', async () => {
  const { world } = shared
  const userId = await makeUser(world.t, { account: 'frugal', role: 'candidate' })
  const times = { signStartTime: new Date(Date.now() - DAY), signEndTime: new Date(Date.now() + DAY) }
  const { id: examId } = await insert(world.t.app, Examination, { ...times, examStatus: ExamStatus.released })
  await insert(world.t.app, Signup, { examId, userId, signStatus: SignStatus.submitted })
  const { page } = await world.open('phone')
  await signIn(world, page, 'frugal')
  const storageState = await page.context().storageState()
  const cost = await openCold(world.browser, `${world.url}/wel/index`, '.my h1', { storageState, ...sizes.phone })
  expect(cost.whole).toBeLessThan(mostForHome)
})

test('pages of candidates fetch nothing of the console, which is half as much again', async () => {
  const { world } = shared
  const { page, quiet } = await world.open('phone')
  await makeUser(world.t, { account: 'sparing', role: 'candidate' })
  await signIn(world, page, 'sparing')
  const fetched: string[] = []
  page.on('request', request => fetched.push(request.url()))
  for (const { path } of candidatePages) {
    await page.goto(path.replace(/:\w+/, '1'), { waitUntil: 'networkidle' })
    await quiet()
    expect(
      fetched.splice(0).filter(url => /\/(shell|lists)-/.test(url)),
      path,
    ).toEqual([])
  }
})

test('what is said after saving stands in the bar of a phone and leaves the title of the page to be read', async () => {
  const { world } = shared
  const { page } = await world.open('phone')
  await signIn(world, page, 'admin')
  await page.goto('/system/param')
  await page.getByRole('button', { name: '新增', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('参数名称').fill('一个名字很长的系统参数'.repeat(8))
  await dialog.getByLabel('参数键名').fill('toast.height')
  await dialog.getByLabel('参数键值').fill('1')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  const notice = page.locator('.ant-message-notice').first()
  await notice.waitFor()
  await dialog.waitFor({ state: 'hidden' })
  const [said, title] = await Promise.all([notice.boundingBox(), page.locator('h1').boundingBox()])
  expect((said?.y ?? Number.NaN) + (said?.height ?? Number.NaN)).toBeLessThanOrEqual(title?.y ?? Number.NaN)
  expect(await notice.textContent()).toContain('一个名字很长的系统参数')
})

/** Addresses of what an exam, a notice and a list show to everybody; the pages that the server draws name their language. */
async function publicRows(lang: 'zh' | 'en'): Promise<string[]> {
  const { app } = shared.world.t
  const [before, after] = [new Date(Date.now() - DAY), new Date(Date.now() + DAY)]
  const exam = await insert(app, Examination, {
    examStatus: ExamStatus.released,
    signStartTime: before,
    signEndTime: after,
  })
  const notice = await insert(app, Notice, {
    noticeStatus: NoticeStatus.released,
    scope1: NoticeScope.public,
    sendId: null,
    scopeState: null,
    releaseTime: before,
    endTime: null,
  })
  const list = await insert(app, Publicity, {
    examId: exam.id,
    publicityKind: PublicityKind.qualification,
    publicityStatus: PublicityStatus.released,
    startTime: before,
    endTime: after,
    objectionEnd: after,
    openTime: before,
  })
  return [
    `/public/exam/${exam.id}`,
    `/public/notice/${notice.id}`,
    `/public/publicity?lang=${lang}`,
    `/public/publicity/${list.id}?lang=${lang}`,
    `/public/objection?lang=${lang}`,
    `/public/objection?list=${list.id}&lang=${lang}`,
  ]
}

test.each(['zh', 'en'] as const)(
  'public pages have one row above them, and only what does not fit is folded: %s',
  async lang => {
    speak(lang)
    const { world } = shared
    const { page, quiet, complaints } = await world.open('phone')
    await openSignIn(page)
    const plain = pages.filter(({ path, access }) => access === 'public' && !path.includes(':'))
    const rows = await publicRows(lang)
    for (const path of [...plain.map(one => one.path), ...rows]) {
      const answer = await page.goto(path)
      await quiet()
      expect(answer?.status(), path).toBe(200)
      const top = page.locator('body > header, .public-top')
      if (rows.includes(path)) await top.waitFor()
      else if ((await top.count()) === 0) continue
      expect((await top.boundingBox())?.height, path).toBeLessThanOrEqual(56)
      expect(await top.evaluate(self => self.scrollWidth - self.clientWidth), path).toBe(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(360)
    }
    expect(complaints).toEqual([])
    await page.goto('/public/index')
    await page.getByRole('button', { name: t('菜单') }).click()
    await page.getByRole('link', { name: t('准考证核验') }).click()
    await page.waitForURL('**/public/verify')
    expect(await page.locator('.fold-panel[data-open]').count()).toBe(0)
  },
)

test('a registration sent empty marks every field and the box at once, and leads to each', async () => {
  const { world } = shared
  const { page } = await world.open('phone')
  await page.goto('/register')
  await page.getByRole('button', { name: '注册', exact: true }).click()
  const summary = page.getByRole('alert').filter({ hasText: '处需要改正' })
  await expect.poll(() => summary.evaluate(self => self === document.activeElement)).toBe(true)
  const wrong = await page.locator('[aria-invalid]').evaluateAll(all => all.map(one => one.id))
  expect(wrong).toEqual(['realName', 'idCard', 'phone', 'username', 'password', 'password2', 'consent'])
  const links = summary.getByRole('link')
  expect(await links.evaluateAll(all => all.map(one => one.getAttribute('href')?.slice(1)))).toEqual(wrong)
  expect(await barriers(page)).toEqual([])
  await links.last().click()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('consent')
  await page.keyboard.press('Space')
  await expect.poll(() => links.count()).toBe(wrong.length - 1)
})

test('a candidate is turned away from the console', async () => {
  const { world } = shared
  const { page } = await world.open('phone')
  await makeUser(world.t, { account: 'kaosheng', role: 'candidate' })
  await signIn(world, page, 'kaosheng')
  await page.goto('/system/user')
  await page.waitForURL('**/403')
  await page.getByText('您没有权限查看这个页面').waitFor()
})
