import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { give } from '../sheet.ts'
import { fieldNamed, like, t, verb } from '../words.ts'
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

/** Chooses a position among those that are shown. */
const choosePosition = (page: Page, postName: string) =>
  page
    .getByRole('article')
    .filter({ hasText: postName })
    .getByRole('button', { name: verb('报名'), exact: true })
    .click()

/** From a position on the public page of the exam to its form, by way of a new account: nobody signs in a second time. */
export async function register(page: Page, postName: string, of: Applicant): Promise<void> {
  const { account, realName, idCard, phone } = of
  await page.goto('/public/index')
  await page.getByRole('link', { name: examName }).click()
  await choosePosition(page, postName)
  await page.waitForURL('**/login?*')
  await page.getByRole('link', { name: t('注册'), exact: true }).click()
  await page.getByLabel(fieldNamed('真实姓名')).fill(realName)
  await page.getByLabel(fieldNamed('证件号码')).fill(idCard)
  await page.getByLabel(fieldNamed('手机号码')).fill(phone)
  await page.getByLabel(fieldNamed('账号')).fill(account)
  await page.getByLabel(t('密码'), { exact: true }).fill(ownPassword)
  await page.getByLabel(fieldNamed('确认密码')).fill(ownPassword)
  await page.getByLabel(t('我已阅读并同意《个人信息处理告知书》')).check()
  await page.getByRole('button', { name: t('注册'), exact: true }).click()
  // Who has an account now is signed in, at the first step of the form.
  await page.waitForURL('**/signup/form/*')
  await page.getByRole('heading', { name: t('报名须知') }).waitFor()
}

/** Goes on to the next step of the form. */
export const next = (page: Page) => page.getByRole('button', { name: t('下一步') }).click()

/** The input of an item of the form; a column of a table further below may be called the same. */
const item = (page: Page, name: string) => page.getByLabel(fieldNamed(name)).first()

/** Chooses one of a few that are all in sight. */
const oneOf = (form: Page | Locator, field: string, choice: string) =>
  form
    .getByRole('radiogroup', { name: t(field) })
    .getByLabel(t(choice), { exact: true })
    .check()

/** Fills in what the form asks about the person. */
export async function fillItems(page: Page, major: string): Promise<void> {
  await item(page, '民族').selectOption('01')
  await oneOf(page, '政治面貌', '群众')
  await page.getByRole('button', { name: t('与证件号码一致：{{place}}', { place: '福建省 福州市 鼓楼区' }) }).click()
  await oneOf(page, '最高学历', '大学本科')
  await oneOf(page, '最高学位', '学士')
  await item(page, '所学专业').fill(major)
  await oneOf(page, '是否应届毕业生', '否')
  await item(page, '参加工作时间').fill('2020-07')
}

/** Fills in the first row of what was studied. */
export async function fillStudies(page: Page): Promise<void> {
  const row = page.getByRole('group', { name: t('第 {{n}} 条', { n: 1 }) })
  await row.getByLabel(fieldNamed('起始年月')).fill('2013-09')
  await row.getByLabel(fieldNamed('学校')).fill('福建医科大学')
  await row.getByLabel(fieldNamed('专业')).fill('临床医学')
  await oneOf(row, '学历', '大学本科')
}

/** A photo as a phone takes it: HEIC of 12 megapixels, lying on its side with a note how to turn it. */
export const photo = readFileSync(new URL('./photo.heic', import.meta.url))

/** Gives the photo, cropped in the page, and the scan of the degree. */
export async function giveFiles(page: Page): Promise<void> {
  const picture = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
  await give(page, page.getByRole('button', { name: t('选择照片') }), 'photo.heic', photo)
  const crop = page.getByRole('dialog', { name: t('裁剪照片') })
  await crop.getByRole('button', { name: t('使用这张照片') }).click()
  await page.getByRole('button', { name: like('删除{{what}}', { what: 'photo' }) }).waitFor()
  await give(page, page.getByRole('button', { name: t('选择文件') }), 'degree.png', await picture(900, 640, '#eed'))
  await page.getByRole('button', { name: t('删除{{what}}', { what: 'degree.png' }) }).waitFor()
}

/** Promises and hands in; answers the number of the sign-up. */
export async function handIn(page: Page): Promise<string> {
  await page.getByLabel(t('我已阅读并同意《诚信承诺书》和《个人信息处理告知书》')).check()
  await page.getByRole('button', { name: t('提交报名'), exact: true }).click()
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
