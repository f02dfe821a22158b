import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expect } from 'vitest'
import { give } from '../sheet.ts'
import { buttonNamed, fieldNamed, like, t } from '../words.ts'
import { openSignIn } from '../world.ts'
import { examName } from './exam.ts'

/** Who signs up. */
export interface Applicant {
  account: string
  realName: string
  idCard: string
  phone: string
}

/** Password that candidates of the journey choose. */
export const ownPassword = 'Zhaopin2027'

/** From the public page of the exam to its form, by way of a new account: nobody signs in a second time. */
export async function register(page: Page, { account, realName, idCard, phone }: Applicant): Promise<void> {
  // The language is chosen on the sign-in page.
  await openSignIn(page)
  await page.goto('/public/index')
  await page.getByRole('link', { name: examName }).click()
  await page.getByRole('button', { name: t('选择岗位并报名') }).click()
  await page.waitForURL('**/login?*')
  await page.getByRole('link', { name: t('注册'), exact: true }).click()
  await page.getByLabel(fieldNamed('真实姓名')).fill(realName)
  await page.getByLabel(fieldNamed('证件号码')).fill(idCard)
  await page.getByLabel(fieldNamed('手机号码')).fill(phone)
  await page.getByLabel(fieldNamed('账号')).fill(account)
  // A phone may drop the page in between: what was typed stands when it comes back.
  await page.reload()
  await expect.poll(() => page.getByLabel(fieldNamed('证件号码')).inputValue()).toBe(idCard)
  await page.getByLabel(t('密码'), { exact: true }).fill(ownPassword)
  await page.getByLabel(fieldNamed('确认密码')).fill(ownPassword)
  await page.getByLabel(t('我已阅读并同意《个人信息处理告知书》')).check()
  await page.getByRole('button', { name: t('注册'), exact: true }).click()
  // Who has an account now is signed in, at the first step of the form.
  await page.waitForURL('**/signup/form/*')
  await page.getByRole('heading', { name: t('报名须知') }).waitFor()
}

/** Goes from the list of exams to a position and into its form. */
export async function choosePosition(page: Page, postName: string): Promise<void> {
  await page.goto('/signup/examList')
  await page.getByRole('link', { name: examName }).click()
  await page
    .getByRole('article')
    .filter({ hasText: postName })
    .getByRole('button', { name: t('报名'), exact: true })
    .click()
  await page.getByRole('heading', { name: t('报名须知') }).waitFor()
}

/** Goes on to the next step of the form. */
export const next = (page: Page) => page.getByRole('button', { name: t('下一步') }).click()

/** One of the several inputs of a field. */
const part = (form: Page | Locator, field: string, name: string) => form.getByLabel(`${t(field)} ${t(name)}`)

/** The input of an item of the form; a column of a table further below may be called the same. */
export const item = (page: Page, name: string) => page.getByLabel(fieldNamed(name)).first()

/** Fills in what the form asks about the person. */
export async function fillItems(page: Page, major: string): Promise<void> {
  await item(page, '民族').selectOption('01')
  await item(page, '政治面貌').selectOption({ label: t('群众') })
  await part(page, '户籍所在地', '省').selectOption({ label: '福建省' })
  await part(page, '户籍所在地', '市').selectOption({ label: '福州市' })
  await part(page, '户籍所在地', '区县').selectOption({ label: '鼓楼区' })
  await item(page, '最高学历').selectOption({ label: t('大学本科') })
  await item(page, '最高学位').selectOption({ label: t('学士') })
  await item(page, '所学专业').fill(major)
  await page
    .getByRole('radiogroup', { name: t('是否应届毕业生') })
    .getByLabel(t('否'), { exact: true })
    .check()
  await part(page, '参加工作时间', '年').selectOption('2020')
  await part(page, '参加工作时间', '月').selectOption({ label: '7' })
}

/** Fills in the first row of what was studied. */
export async function fillStudies(page: Page): Promise<void> {
  const row = page.getByRole('group', { name: t('第 {{n}} 条', { n: 1 }) })
  await part(row, '起始年月', '年').selectOption('2013')
  await part(row, '起始年月', '月').selectOption({ label: '9' })
  await row.getByLabel(fieldNamed('学校')).fill('福建医科大学')
  await row.getByLabel(fieldNamed('专业')).fill('临床医学')
  await row.getByLabel(fieldNamed('学历')).selectOption({ label: t('大学本科') })
}

/** A photo as a phone takes it: HEIC of 12 megapixels, lying on its side with a note how to turn it. */
const photo = readFileSync(new URL('./photo.heic', import.meta.url))

/** What begins as a photo and is none. */
const damaged = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40_000, 7)])

/** Gives the photo, cropped in the page after one that cannot be read, and the scan of the degree. */
export async function giveFiles(page: Page): Promise<void> {
  const picture = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
  await give(page, page.getByRole('button', { name: t('选择照片') }), 'damaged.jpg', damaged)
  const crop = page.getByRole('dialog', { name: t('裁剪照片') })
  await crop.getByText(t('这张照片无法读取。请在手机相册中选“编辑→另存为 JPG”，或重新拍一张')).waitFor()
  await give(page, crop.getByRole('button', { name: buttonNamed('换一张') }), 'photo.heic', photo)
  const upright = crop.locator('img')
  await upright.waitFor()
  expect(await upright.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([1800, 2400])
  await crop.getByRole('button', { name: t('使用这张照片') }).click()
  await page.getByRole('button', { name: like('删除{{what}}', { what: 'photo' }) }).waitFor()
  await give(page, page.getByRole('button', { name: t('选择文件') }), 'degree.png', await picture(900, 640, '#eed'))
  await page.getByRole('button', { name: t('删除{{what}}', { what: 'degree.png' }) }).waitFor()
}

/** Promises and hands in; answers the number of the sign-up. */
export async function handIn(page: Page): Promise<string> {
  await page.getByLabel(t('我已阅读并同意《诚信承诺书》和《个人信息处理告知书》')).check()
  await page.getByRole('button', { name: t('提交报名') }).click()
  const done = page.getByRole('status').filter({ hasText: t('报名已提交') })
  return (
    (await done
      .getByText(/^\S*\d{6,}$/)
      .first()
      .textContent()) ?? ''
  )
}

/** Opens a sign-up that was returned, corrects the one field that is open, and hands it in again. */
export async function mend(page: Page, label: string, text: string): Promise<void> {
  await page.goto('/signup/mySignup')
  await page.getByRole('button', { name: t('按意见修改') }).click()
  await item(page, label).fill(text)
  const closed = item(page, '民族')
  if (await closed.isEnabled()) throw new Error('民族 was not returned and can be changed')
  await next(page)
  await next(page)
  await handIn(page)
}
