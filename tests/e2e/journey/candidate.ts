import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { give } from '../sheet.ts'
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

/** Makes an account by the page. */
export async function register(page: Page, { account, realName, idCard, phone }: Applicant): Promise<void> {
  await page.goto('/login')
  await page.getByRole('link', { name: '注册' }).click()
  await page.getByLabel('真实姓名').fill(realName)
  await page.getByLabel('证件号码').fill(idCard)
  await page.getByLabel('手机号码').fill(phone)
  await page.getByLabel('账号').fill(account)
  await page.getByLabel('密码', { exact: true }).fill(ownPassword)
  await page.getByLabel('确认密码').fill(ownPassword)
  await page.getByLabel('我已阅读并同意《个人信息处理告知书》').check()
  await page.getByRole('button', { name: '注册' }).click()
  await page.getByText('注册成功').first().waitFor()
}

/** Goes from the list of exams to a position and into its form. */
export async function choosePosition(page: Page, postName: string): Promise<void> {
  await page.goto('/signup/examList')
  await page.getByRole('link', { name: examName }).click()
  await page.getByRole('article').filter({ hasText: postName }).getByRole('button', { name: '报名' }).click()
  await page.getByRole('heading', { name: '报名须知' }).waitFor()
}

/** Goes on to the next step of the form. */
export const next = (page: Page) => page.getByRole('button', { name: '下一步' }).click()

/** Fills in what the form asks about the person. */
export async function fillItems(page: Page, major: string): Promise<void> {
  await page.getByLabel('民族').fill('汉族')
  await page.getByLabel('政治面貌').selectOption({ label: '群众' })
  await page.getByLabel('户籍所在地 省').selectOption({ label: '福建省' })
  await page.getByLabel('户籍所在地 市').selectOption({ label: '福州市' })
  await page.getByLabel('户籍所在地 区县').selectOption({ label: '鼓楼区' })
  await page.getByLabel('最高学历').selectOption({ label: '大学本科' })
  await page.getByLabel('最高学位').selectOption({ label: '学士' })
  await page.getByLabel('所学专业').fill(major)
  await page.getByRole('radiogroup', { name: '是否应届毕业生' }).getByLabel('否').check()
  await page.getByLabel('参加工作时间 年').selectOption('2020')
  await page.getByLabel('参加工作时间 月').selectOption({ label: '7' })
}

/** Fills in the first row of what was studied. */
export async function fillStudies(page: Page): Promise<void> {
  const row = page.getByRole('group', { name: '第 1 条' })
  await row.getByLabel('起始年月 年').selectOption('2013')
  await row.getByLabel('起始年月 月').selectOption({ label: '9' })
  await row.getByLabel('学校').fill('福建医科大学')
  await row.getByLabel('专业').fill('临床医学')
  await row.getByLabel('学历').selectOption({ label: '大学本科' })
}

/** Gives the photo, cropped in the page, and the scan of the degree. */
export async function giveFiles(page: Page): Promise<void> {
  const picture = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
  await give(page, page.getByRole('button', { name: '选择照片' }), 'photo.png', await picture(600, 800, '#9cc'))
  const crop = page.getByRole('dialog', { name: '裁剪照片' })
  await crop.getByRole('button', { name: '使用这张照片' }).click()
  await page.getByRole('button', { name: /^删除.*photo/ }).waitFor()
  await give(page, page.getByRole('button', { name: '选择文件' }), 'degree.png', await picture(900, 640, '#eed'))
  await page.getByRole('button', { name: '删除degree.png' }).waitFor()
}

/** Promises and hands in; answers the number of the sign-up. */
export async function handIn(page: Page): Promise<string> {
  await page.getByLabel('我已阅读并同意《诚信承诺书》和《个人信息处理告知书》').check()
  await page.getByRole('button', { name: '提交报名' }).click()
  const done = page.getByRole('status').filter({ hasText: '报名已提交' })
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
  await page.getByRole('button', { name: '按意见修改' }).click()
  await page.getByLabel(label).fill(text)
  const closed = page.getByLabel('民族')
  if (await closed.isEnabled()) throw new Error('民族 was not returned and can be changed')
  await next(page)
  await next(page)
  await handIn(page)
}
