import type { Page } from '@playwright/test'
import { samplePhone } from '../../helper/sample.ts'
import { add, choose, fill, save } from '../controls.ts'
import { buttonNamed, t } from '../words.ts'
import { signIn, type World } from '../world.ts'

/** Somebody of the staff. */
export interface Member {
  account: string
  realName: string
  /** Name of the role, in Chinese. */
  role: string
  idCard: string
}

/** What the administrator gives everybody to begin with. */
const given = 'Diyici@Juxian27'

/** What everybody of the staff changes it to. */
const staffPassword = 'Zijide@Juxian27'

/** Adds units to the dictionary of recruiting units, which is empty at first. */
export async function addUnits(page: Page, names: readonly string[]): Promise<void> {
  await page.goto('/dict-vertical/index')
  await page.getByRole('textbox', { name: t('字典编号') }).fill('recruit_unit')
  await page.getByRole('button', { name: buttonNamed('搜索') }).click()
  await page.getByRole('cell', { name: 'recruit_unit', exact: true }).click()
  for (const [i, name] of names.entries()) {
    const form = await add(page, '业务字典')
    await fill(form, { 字典名称: name, 字典键值: String(101 + i), 字典排序: String(i) })
    await save(page, form)
  }
  await page.getByRole('cell', { name: names.at(-1) ?? '', exact: true }).waitFor()
}

/** Makes the accounts of the staff, each with its role. */
export async function addMembers(page: Page, members: readonly Member[]): Promise<void> {
  await page.goto('/system/user')
  for (const [i, member] of members.entries()) await addMember(page, member, 100 + i)
}

async function addMember(page: Page, { account, realName, role, idCard }: Member, n: number): Promise<void> {
  const form = await add(page, '用户')
  await fill(form, { 登录账号: account, 密码: given, 真实姓名: realName, 昵称: realName })
  await fill(form, { 证件号码: idCard, 手机号码: samplePhone(n) })
  await choose(page, form, { 用户平台: '后台', 证件类型: '居民身份证', 角色: role, 所属机构: '卫生健康局' })
  await save(page, form)
}

/** The first sign-in of somebody of the staff: nothing can be done before the password is changed. */
export async function enter(world: World, { account }: Member): Promise<Page> {
  const { page } = await world.open()
  await signIn(world, page, account, given)
  await page.getByText(t('请先修改密码')).first().waitFor()
  await page.getByLabel(t('原密码')).fill(given)
  await page.getByLabel(t('新密码'), { exact: true }).fill(staffPassword)
  await page.getByLabel(t('确认新密码')).fill(staffPassword)
  await page.getByRole('button', { name: t('修改密码') }).click()
  await page.getByText(t('密码已修改，其他设备需重新登录')).waitFor()
  return page
}
