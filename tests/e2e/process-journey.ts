import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../helper/login.ts'
import { choose } from './controls.ts'
import * as drawing from './journey/drawing.ts'
import { speak, t, verb, word } from './words.ts'
import { openWorld, signIn, type World } from './world.ts'

/** Where, in which language, what is drawn there, and where its first step stands from the middle of the drawing. */
const passes = {
  desk: { tongue: 'zh', name: '差旅报销', key: 'travel_claim', first: [-120, 0] },
  phone: { tongue: 'en', name: 'Trip claim', key: 'trip_claim', first: [0, 40] },
} as const
const options = { desk: {}, phone: { viewport: { width: 390, height: 844 } } }

const people = { wenyuan: '文员', zhuguan: '主管', jia: '甲某', yi: '乙某' } as const

/**
 * A process from its drawing to its end.
 * @param size at a desk people work in Chinese, on a phone in English
 */
export function processJourney(size: keyof typeof passes): void {
  const { tongue, name, key, first } = passes[size]
  const [right, down] = first
  let world: World

  beforeAll(async () => {
    speak(tongue)
    world = await openWorld()
    for (const [account, realName] of Object.entries(people))
      await makeUser(world.t, { account, realName, role: account === 'wenyuan' ? 'admin' : 'exam_admin' })
  })
  afterAll(() => world?.close())

  const modelOf = async (modelKey: string): Promise<string> =>
    (
      await world.t.db
        .selectFrom('flow_deployment')
        .select('id')
        .where('modelKey', '=', modelKey)
        .executeTakeFirstOrThrow()
    ).id

  let clerk: Page

  const enter = async (account: keyof typeof people): Promise<Page> => {
    const { page } = await world.open(size, options[size])
    await signIn(world, page, account)
    return page
  }
  /** What a list shows of a run or a process: a row, or a card where there is no room for rows. */
  const shown = (page: Page) =>
    (size === 'desk' ? page.getByRole('row') : page.locator('.row-card:visible')).filter({ hasText: name }).first()

  test('a clerk draws a claim with a gateway and a decision by several people', async () => {
    clerk = await enter('wenyuan')
    const panel = drawing.panel(clerk)
    await drawing.openDrawing(clerk)
    await drawing.write(clerk, { 流程名称: name, 流程标识: key })
    await drawing.pickByName(clerk, t('发起'))
    await choose(clerk, panel, { 表单: '自定义字段' })
    for (const [at, [名称, 标识, 类型]] of [
      ['事由', 'reason', '文本'],
      ['金额', 'amount', '小数'],
    ].entries()) {
      await panel.getByRole('button', { name: t('添加字段') }).click()
      const field = panel.getByRole('group', { name: t('第{{n}}个字段', { n: at + 1 }) })
      await drawing.write(clerk, { 字段名称: 名称!, 字段标识: 标识! }, field)
      await choose(clerk, field, { 字段类型: 类型! })
      await field.getByLabel(t('必填')).check()
    }
    await drawing.place(clerk, '用户任务：由人办理', '主管审批', right, down)
    await choose(clerk, panel, { 办理人: '指定人员', 人员: people.zhuguan })
    await drawing.connect(clerk, t('发起'), '主管审批')
    await drawing.append(clerk, '主管审批', '添加排他网关', '金额多少')
    await drawing.append(clerk, '金额多少', '添加用户任务', '会签')
    await choose(clerk, panel, { 会签: '同时办理', 人员: people.jia })
    await choose(clerk, panel, { 人员: people.yi })
    await clerk.keyboard.press('Escape')
    await drawing.append(clerk, '会签', '添加结束', '完成')
    await drawing.append(clerk, '金额多少', '添加结束', '小额完成')
    await drawing.pickLine(clerk, '金额多少', '会签')
    await choose(clerk, panel, { 什么时候走这条线: '变量与值比较' })
    await drawing.write(clerk, { 变量名: 'amount' })
    await choose(clerk, panel, { 比较: '大于或等于' })
    await drawing.write(clerk, { 值: '5000' })
    await drawing.pickLine(clerk, '金额多少', '小额完成')
    await choose(clerk, panel, { 什么时候走这条线: '默认分支：其他分支都不走时' })
    await choose(clerk, clerk.getByRole('main'), { 流程分类: '报销流程' })
    await clerk.getByRole('button', { name: t('部署模型') }).click()
    await clerk
      .getByRole('dialog')
      .getByRole('button', { name: t('确定') })
      .click()
    await clerk.getByText(t('已部署')).waitFor()
  })

  test('it is begun with the form that was drawn, which says what is missing', async () => {
    await clerk.goto('/work/start')
    await shown(clerk)
      .getByRole('link', { name: t('发起') })
      .click()
    await clerk.getByRole('button', { name: t('提交') }).click()
    await clerk.getByText(t('请填写{{name}}', { name: word('金额') })).waitFor()
    await clerk.getByLabel(word('事由')).fill('去省里开会')
    await clerk.getByLabel(word('金额')).fill('6000')
    await clerk.getByRole('button', { name: t('提交') }).click()
    await clerk.waitForURL('**/work/send')
    await shown(clerk).getByText('主管审批').waitFor()
  })

  test('three people decide; one sends it back, and the diagram shows where it stands', async () => {
    const chief = await enter('zhuguan')
    const handle = async (page: Page): Promise<void> => {
      await page.goto('/work/todo')
      await shown(page)
        .getByRole('link', { name: t('办理') })
        .click()
      await page.getByRole('button', { name: t('同意'), exact: true }).waitFor()
    }
    const agree = async (page: Page): Promise<void> => {
      await handle(page)
      await page.getByRole('button', { name: t('同意'), exact: true }).click()
      await page.waitForURL('**/work/todo')
    }
    await handle(chief)
    await agree(chief)
    const first = await enter('jia')
    await handle(first)
    await first.getByRole('button', { name: verb('退回') }).click()
    const dialog = first.getByRole('dialog', { name: verb('退回') })
    await dialog.getByRole('button', { name: verb('退回') }).click()
    await dialog.getByText(t('请输入批复意见')).waitFor()
    await choose(first, dialog, { 退回到: '主管审批 · 主管' })
    await dialog.getByLabel(t('批复意见')).fill('请附行程')
    await dialog.getByRole('button', { name: verb('退回') }).click()
    await first.waitForURL('**/work/todo')
    await handle(chief)
    await chief.getByText(new RegExp(`^甲某 ${t('退回')}`)).waitFor()
    // Where it stands is said by sign and colour in the diagram, and in words.
    await chief.locator('.flow-drawing .flow-now').filter({ hasText: '主管审批' }).waitFor()
    await agree(chief)
    const second = await enter('yi')
    await agree(first)
    await agree(second)
    await clerk.goto('/work/send')
    await shown(clerk).getByText(word('已完成')).waitFor()
    await shown(clerk)
      .getByRole('link', { name: t('详情') })
      .click()
    const way = clerk.locator('.flow-steps')
    await way.getByText('请附行程').first().waitFor()
    expect(
      await way
        .getByRole('listitem')
        .filter({ hasText: t('会签') })
        .count(),
    ).toBeGreaterThan(3)
    expect(await clerk.locator('.flow-drawing .flow-now').count()).toBe(0)
  })

  test('a small claim is begun, refused with a word, and looked at', async () => {
    await clerk.goto('/work/start')
    await shown(clerk)
      .getByRole('link', { name: t('发起') })
      .click()
    await clerk.getByLabel(word('事由')).fill('买纸')
    await clerk.getByLabel(word('金额')).fill('100')
    await clerk.getByRole('button', { name: t('提交') }).click()
    await clerk.waitForURL('**/work/send')
    const chief = await enter('zhuguan')
    await chief.goto('/work/todo')
    await shown(chief)
      .getByRole('link', { name: t('办理') })
      .click()
    await chief.locator('.flow-drawing .flow-now').filter({ hasText: '主管审批' }).waitFor()
    await chief.getByRole('button', { name: t('不同意并结束流程') }).click()
    await chief.getByText(t('请输入批复意见')).waitFor()
    await chief.getByLabel(t('批复意见')).fill('Use both sides.')
    await chief.getByRole('button', { name: t('不同意并结束流程') }).click()
    await chief.waitForURL('**/work/todo')
    await clerk.goto('/work/send')
    await shown(clerk)
      .getByRole('link', { name: t('详情') })
      .click()
    await clerk.locator('.flow-steps').getByText('Use both sides.').waitFor()
  })

  test.runIf(size === 'desk')(
    'of two who save one drawing, the second keeps what was drawn and decides what becomes of it',
    async () => {
      const id = await modelOf(key)
      const other = await enter('wenyuan')
      await drawing.openDrawing(other, id)
      await drawing.openDrawing(clerk, id)
      await drawing.write(other, { 流程名称: '差旅报销（新）' })
      await other.getByRole('button', { name: t('保存') }).click()
      await other.getByText(t('已保存')).waitFor()
      await drawing.write(clerk, { 流程名称: '差旅报销（改）' })
      await clerk.getByRole('button', { name: t('保存') }).click()
      const told = clerk.getByRole('alert').filter({ hasText: t('模型已被他人修改，您绘制的内容还在。') })
      await told.getByRole('button', { name: t('查看已保存的模型') }).click()
      await clerk.getByRole('dialog').locator('.flow-drawing svg').first().waitFor()
      await clerk
        .getByRole('dialog')
        .getByRole('button', { name: t('关闭') })
        .click()
      expect(await drawing.panel(clerk).getByLabel(t('流程名称')).inputValue()).toBe('差旅报销（改）')
      await told.getByRole('button', { name: t('保留我的') }).click()
      await clerk
        .getByRole('dialog')
        .getByRole('button', { name: t('覆盖') })
        .click()
      await clerk.getByText(t('已保存')).waitFor()
      await drawing.write(other, { 流程标识: key })
      await drawing.write(other, { 流程名称: '丢弃' })
      await other.getByRole('button', { name: t('保存') }).click()
      await other.getByRole('button', { name: t('载入最新内容') }).click()
      await other
        .getByRole('dialog')
        .getByRole('button', { name: t('载入') })
        .click()
      await other.getByRole('heading', { name: '差旅报销（改）' }).waitFor()
    },
  )

  test('nobody has met a text that is not in the chosen language', () => {
    // Names of people, and of steps that they have drawn, are theirs.
    const names = ['管理员', '会签', '完成']
    const ours = world.untranslated().filter(text => !names.includes(text))
    expect(ours).toEqual([])
  })
}
