import type { Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { inbox } from '../../src/platform/channels/sms/sandbox/outbox.ts'
import { shanghai } from '../helper/app.ts'
import { makeUser } from '../helper/login.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'
import { makeTemplate } from '../helper/send-bench.ts'
import { makeExam, times } from '../helper/sign-bench.ts'
import { ownPassword, photo } from './journey/candidate.ts'
import { give } from './sheet.ts'
import { buttonNamed, fieldNamed, like, t } from './words.ts'
import { sharedWorld, signIn } from './world.ts'

// What a candidate with a phone meets on the way into a form besides the way itself, which the journey goes.

const shared = sharedWorld()
let form: string

beforeAll(async () => {
  const { world } = shared
  await world.at(shanghai(times.inside))
  const { exam } = await makeExam(world.t)
  form = `/signup/form/${exam.id}`
  await makeTemplate(world.t, { smsCode: 'validate', templateContent: '验证码{code}，{minutes}分钟内有效。' })
})

const field = (page: Page, name: string) => page.getByLabel(fieldNamed(name))

test('a registration that is loaded anew has what was typed, the code that was sent, and the rest of the pause', async () => {
  const { world } = shared
  const { page } = await world.open('phone')
  await page.clock.install()
  const typed = { 真实姓名: '王小明', 证件号码: sampleIdCard(8), 手机号码: samplePhone(8), 账号: 'wangxm' }
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/send-validate')) asked.push(request.method())
  })
  await page.goto(`/register?${new URLSearchParams({ redirect: `${form}?code=A01` })}`)
  for (const [name, text] of Object.entries(typed)) await field(page, name).fill(text)
  await page.getByRole('button', { name: t('获取验证码') }).click()
  const again = page.getByRole('button', { name: like('{{seconds}} 秒后重发') })
  await again.waitFor()
  // Nobody looks at the page while the message is read elsewhere.
  await page.clock.fastForward(20_000)
  const left = async () => Number(/\d+/.exec((await again.textContent()) ?? '')?.[0])
  await expect.poll(left).toBeLessThanOrEqual(40)
  const before = await left()
  await page.reload()
  for (const [name, text] of Object.entries(typed))
    await expect.poll(() => field(page, name).inputValue(), { message: name }).toBe(text)
  expect(await left()).toBeLessThanOrEqual(before)
  expect(await left()).toBeGreaterThan(0)
  const [message] = await inbox(world.t.pool, world.t.app.vault, typed.手机号码)
  await field(page, '短信验证码').fill(/验证码(\d{6})/.exec(message?.content ?? '')?.[1] ?? '')
  await field(page, '密码').fill(ownPassword)
  await field(page, '确认密码').fill(ownPassword)
  await page.getByLabel(t('我已阅读并同意《个人信息处理告知书》')).check()
  await page.getByRole('button', { name: t('注册'), exact: true }).click()
  // In the form of the exam, signed in.
  await page.getByRole('heading', { name: t('报名须知') }).waitFor()
  await page.getByRole('definition').filter({ hasText: typed.真实姓名 }).waitFor()
  expect([new URL(page.url()).pathname, asked]).toEqual([form, ['POST']])
})

/** What begins as a photo and is none. */
const damaged = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40_000, 7)])

/** Notes how long the page is busy at a time from now on. @returns the longest share of the time since */
async function heartbeat(page: Page): Promise<() => Promise<number>> {
  const heart = await page.evaluateHandle(() => {
    const began = performance.now()
    const at = { longest: 0, last: began }
    const beat = (): void => {
      const now = performance.now()
      at.longest = Math.max(at.longest, now - at.last)
      at.last = now
    }
    setInterval(beat, 10)
    return { share: () => at.longest / (performance.now() - began) }
  })
  return () => heart.evaluate(self => self.share())
}

test('a damaged photo says what to do and takes another; one of 12 megapixels is turned upright while the page goes on', async () => {
  const { world } = shared
  const { page } = await world.open('phone')
  await makeUser(world.t, { account: 'paizhao', role: 'candidate', phone: samplePhone(9) })
  await signIn(world, page, 'paizhao')
  await page.goto(`${form}?code=A01`)
  await page.getByRole('heading', { name: t('报名须知') }).waitFor()
  await page.goto(`${form}?step=3`)
  await give(page, page.getByRole('button', { name: t('选择照片') }), 'damaged.jpg', damaged)
  const crop = page.getByRole('dialog', { name: t('裁剪照片') })
  await crop.getByText(t('这张照片无法读取。请在手机相册中选“编辑→另存为 JPG”，或重新拍一张')).waitFor()
  expect(await crop.getByRole('button', { name: t('使用这张照片') }).count()).toBe(0)
  const share = await heartbeat(page)
  await give(page, crop.getByRole('button', { name: buttonNamed('换一张') }), 'photo.heic', photo)
  const upright = crop.locator('img')
  await upright.waitFor()
  expect(await upright.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([1800, 2400])
  // Were it decoded by the page itself, it would stand still most of the time, on any machine.
  expect(await share()).toBeLessThan(0.5)
})
