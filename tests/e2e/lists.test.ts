import type { Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { Auditlog } from '#schemas/audit/auditlog'
import {
  ExamineStatus,
  ExamRole,
  ExamStatus,
  OrderStatus,
  PayBizType,
  SignStatus,
  TicketStatus,
  yesNo,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Examroom } from '#schemas/exams/examroom'
import { Examuser } from '#schemas/exams/examuser'
import { School } from '#schemas/exams/school'
import { JobInfo } from '#schemas/jobs/job-info'
import { Send } from '#schemas/messages/send'
import { Notice } from '#schemas/notices/notice'
import { Exampay } from '#schemas/payment/exampay'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Reconciliation } from '#schemas/payment/reconciliation'
import { Postreductionname } from '#schemas/reduction/postreductionname'
import { Result } from '#schemas/results/result'
import { Resultappeal } from '#schemas/results/resultappeal'
import { Signup } from '#schemas/sign-up/signup'
import { User } from '#schemas/system/user'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { Ticketnotice } from '#schemas/tickets/ticketnotice'
import { Exporttask } from '#schemas/workbook/exporttask'
import { insert } from '../helper/sample.ts'
import { go, settle } from './screens.ts'
import { type Opened, sharedWorld, signIn } from './world.ts'

const shared = sharedWorld()
const name = '2026年卫健系统护理人员专项公开招聘考试（第二批）'
let examId: string

/** What is seen of the rows of a list: their states, the button that is drawn, and whether they name their exam. */
interface Seen {
  states: readonly string[]
  action: string
  namesExam?: true
}

/** The lists that people work with. */
const lists = {
  '/exam/examination': { states: ['已发布'], action: '打开', namesExam: true },
  '/exam/examitems': { states: ['正常'], action: '编辑', namesExam: true },
  '/exam/examinationitem': { states: ['启用'], action: '发布成绩', namesExam: true },
  '/exam/examuser': { states: ['是'], action: '编辑', namesExam: true },
  '/examine/signup': { states: ['未审核', '退回修改'], action: '查看', namesExam: true },
  '/examine/list': { states: ['未预检'], action: '审核' },
  '/examine/done': { states: ['退回修改'], action: '查看' },
  '/reduction/name': { states: ['待选择'], action: '代录改报', namesExam: true },
  '/pay/exampay': { states: ['草稿'], action: '发布缴费', namesExam: true },
  '/pay/record': { states: ['待缴'], action: '免缴', namesExam: true },
  '/pay/order': { states: ['支付成功', '已关闭', '异常待处理'], action: '查单' },
  '/pay/refund': { states: ['待审批'], action: '批准' },
  '/pay/invoice': { states: ['已申请'], action: '查看', namesExam: true },
  '/pay/reconciliation': { states: ['有差异'], action: '处理差异' },
  '/ticket/list': { states: ['已发布'], action: '查看', namesExam: true },
  '/ticket/notice': { states: ['未下载'], action: '查看' },
  '/exam/examroom': { states: ['是'], action: '看座位', namesExam: true },
  '/result/list': { states: ['未发布'], action: '编辑', namesExam: true },
  '/result/appeal': { states: ['待处理'], action: '维持', namesExam: true },
  '/notice/list': { states: ['已发布'], action: '预览', namesExam: true },
  '/send/list': { states: ['草稿'], action: '继续', namesExam: true },
  '/system/user': { states: ['正常'], action: '编辑' },
  '/log/audit': { states: ['成功'], action: '查看' },
  '/exam/exporttask': { states: ['排队'], action: '查看' },
  '/job/info': { states: ['启用'], action: '查看' },
} as const satisfies Record<string, Seen>
type Path = keyof typeof lists
const paths = Object.keys(lists) as Path[]
const seenIn = (path: Path): Seen => lists[path]

/** One row of every list, with texts as long as they are in life. */
beforeAll(async () => {
  const { app } = shared.world.t
  const people = { name: '欧阳夏丹', unit: '350100', code: 'A0101' } as const
  const examStatus = ExamStatus.released
  ;({ id: examId } = await insert(app, Examination, { examName: name, examCode: 'HL2026', examStatus }))
  const { id: itemId } = await insert(app, Examinationitem, { examId, itemName: '笔试（综合基础知识）' })
  const { id: userId } = await insert(app, User, { account: 'ouyang', realName: people.name, userType: 2 })
  const { id: schoolId } = await insert(app, School)
  const whose = { examId, userId, ...people } as const
  const counts = { finalUnit: people.unit, finalCode: people.code } as const
  const { id: signupId } = await insert(app, Signup, {
    ...whose,
    ...counts,
    signNo: '202600000001',
    signStatus: SignStatus.submitted,
  })
  const { rows: admins } = await shared.world.t.pool.query<{ id: string }>(
    `SELECT id FROM "user" WHERE account = 'admin'`,
  )
  const adminId = admins[0]!.id
  // One that waits for a review of the administrator's, and one that was reviewed.
  await insert(app, Examuser, { examId, userId: adminId, userName: '管理员', examRole: ExamRole.firstReviewer })
  await insert(app, Signup, {
    ...whose,
    ...counts,
    userId: adminId,
    signNo: '202600000002',
    signStatus: SignStatus.submitted,
    examine: ExamineStatus.returned,
    examineUser: adminId,
    examineTime: new Date(),
    examineRemark: '学历证书不清晰，请重新上传后再提交',
  })
  await insert(app, Examitems, { examId, postName: '急诊医学科护理（夜班）', code: 'A0101', itemIds: itemId })
  await insert(app, Examuser, { examId, userId, userName: people.name, examRole: 2 })
  await insert(app, Postreductionname, { examId, signupId, name: people.name, nameState: 1 })
  await insert(app, Exampay, { examId, itemId, payName: '笔试考务费' })
  const record = { ...whose, itemId, signupId, amount: 10_000 } as const
  const { id: bizId } = await insert(app, Payrecord, {
    ...record,
    invoiceStatus: 1,
    invoiceTitle: '某某市第二人民医院',
  })
  const order = { bizType: PayBizType.examFee, bizId, userId, body: '笔试考务费', amount: 10_000 } as const
  const states = [OrderStatus.exception, OrderStatus.exception, OrderStatus.closed, OrderStatus.paid]
  for (const [at, orderStatus] of states.entries())
    await insert(app, Payorder, {
      ...order,
      orderNo: `JF2026112209301${at}`,
      orderStatus,
      transactionId: `4200002026${at}`,
    })
  const { rows } = await shared.world.t.pool.query<{ id: string }>('SELECT min(id)::text AS id FROM payorder')
  await insert(app, Payrefund, { payOrderId: rows[0]!.id, payRecordId: bizId, reason: '岗位取消，全额退还考务费' })
  await insert(app, Reconciliation, {
    billDate: '2026-11-21',
    reconStatus: 2,
    localNum: 12,
    channelNum: 11,
    diffNum: 1,
  })
  const { id: ticketId } = await insert(app, Examinationticket, {
    ...whose,
    itemId,
    signupId,
    schoolId,
    ticketNo: '20260100101',
    ticketStatus: TicketStatus.released,
  })
  await insert(app, Ticketnotice, { examId, itemId, signupId, ticketId, userId, name: people.name })
  await insert(app, Examroom, { examId, itemId, schoolId, roomNo: '001', usedNum: 3 })
  const { id: resultId } = await insert(app, Result, { ...people, examId, itemId, signupId, ticketNo: '20260100101' })
  await insert(app, Resultappeal, { examId, itemId, resultId, signupId, reason: '主观题得分与估分相差较大，请复核' })
  await insert(app, Notice, { examId, title: `${name}笔试公告`, noticeStatus: 1, scope1: 2, scope2: examId })
  await insert(app, Send, { examId, title: '笔试准考证下载提醒', sendNo: 'FS20261122001' })
  await insert(app, JobInfo, { jobName: '退款状态查询' })
  await insert(app, Auditlog, { seq: 1_000_001, time: new Date() })
  const { id: taskId } = await insert(app, Exporttask, { title: '报名名单', taskStatus: 0 })
  await shared.world.t.pool.query('UPDATE exporttask SET "createUser" = $1 WHERE id = $2', [adminId, taskId])
})

/** Opens a list with all its rows. */
async function open(opened: Opened, path: Path): Promise<void> {
  const answered = opened.page.waitForResponse(response =>
    /\/api\/.*\/(page|list|getExamineList|ticketDownList)\?/.test(response.url()),
  )
  await go(opened, `${path}?chip=${path === '/result/list' ? `&examId=${examId}` : ''}`)
  await answered
  await settle(opened)
}

const nameless = 'the name of a row leads nowhere'
/** Exports are taken from their rows; there is nothing more to be seen of them. */
const closed: readonly Path[] = ['/exam/exporttask']

/** What of the columns of the table that is seen does not stand whole beside its buttons. */
const hidden = (page: Page) =>
  page.evaluate(nameless => {
    const [box] = [...document.querySelectorAll('.ant-table-content')].filter(one => one.checkVisibility())
    const heads = [...(box?.querySelectorAll('thead th') ?? [])]
    const buttons = heads.at(-1)?.getBoundingClientRect().left ?? 0
    const below = heads.filter(one => one !== heads.at(-1) && one.getBoundingClientRect().right > buttons + 1)
    const wide = (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)
    const rows = box?.querySelectorAll('.ant-table-row').length ?? 0
    return [
      ...below.map(one => `${one.textContent} is under the buttons`),
      ...(wide > 0 ? [`${wide} px to scroll`] : []),
      ...(rows === 0 ? ['no rows'] : []),
      ...(box?.querySelector('.ant-table-row > td:nth-child(1 of :not(.ant-table-selection-column)) :is(a, button)')
        ? []
        : [nameless]),
    ]
  }, nameless)

/** Path of the list that is seen. */
const pathOf = (page: Page) => new URL(page.url()).pathname as Path

/** What is wrong with the cards that are seen: each has its state in its first line, and the one button that is drawn. */
const awry = (page: Page) =>
  page.evaluate(
    ({ states, action, plain }) => {
      const cards = [...document.querySelectorAll('.row-card:not(.totals-row)')].filter(one => one.checkVisibility())
      const wide = document.documentElement.scrollWidth - innerWidth
      const faults = cards.flatMap(card => {
        const { height, left, right } = card.getBoundingClientRect()
        const parts = [...card.querySelectorAll('.state-tag, .row-buttons > :is(a, button), .row-more button')]
        const [button] = card.querySelectorAll('.row-buttons > :is(a, button)')
        const state = [...card.querySelectorAll('.row-card-head *')].find(one => states.includes(one.textContent))
        const isWhole = (part: Element | undefined) => {
          const { left: begin, right: end, width } = part?.getBoundingClientRect() ?? new DOMRect()
          return width > 0 && begin >= left && end <= right
        }
        return [
          ...(height > 132 ? [`${Math.round(height)} px high`] : []),
          ...(isWhole(state) ? [] : [`no state in ${card.querySelector('.row-card-head')?.textContent}`]),
          ...(plain.includes(state?.textContent ?? '') && !card.querySelector('.row-card-head > .row-card-label')
            ? [`«${state?.textContent}» does not say what is so`]
            : []),
          ...(isWhole(button) && button?.textContent === action ? [] : [`does ${button?.textContent}`]),
          ...parts.filter(one => one.getBoundingClientRect().right > right).map(one => `${one.textContent} is cut`),
        ]
      })
      return [...faults, ...(wide > 0 ? [`${wide} px to scroll`] : []), ...(cards.length === 0 ? ['no cards'] : [])]
    },
    { ...seenIn(pathOf(page)), plain: Object.values(yesNo.entries) as string[] },
  )

/** What is found in each of the lists, without those where nothing is. */
async function inAll(opened: Opened, look: (page: Page) => Promise<string[]>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    await open(opened, path)
    const faults = (await look(opened.page)).filter(one => one !== nameless || !closed.includes(path))
    if (faults.length > 0) found[path] = faults
  }
  return found
}

test('at a desk every column stands beside the buttons, and the name of an exam leads to its workspace', async () => {
  const desk = await shared.world.open()
  await signIn(shared.world, desk.page, 'admin')
  const to = `/exam/${examId}`
  const linked: string[] = []
  const found = await inAll(desk, async page => {
    const faults = await hidden(page)
    const names = page.locator(`.ant-table-row:visible a[href="${to}"]`)
    const path = pathOf(page)
    // The way comes after the name.
    if (seenIn(path).namesExam)
      await names
        .first()
        .waitFor({ timeout: 15_000 })
        .catch(() => undefined)
    if ((await names.count()) > 0) linked.push(path)
    return faults
  })
  expect(found).toEqual({})
  expect(linked).toEqual(paths.filter(path => seenIn(path).namesExam))
  await open(desk, '/pay/record')
  await desk.page.locator(`.ant-table-row:visible a[href="${to}"]`).first().click()
  await desk.page.waitForURL(`**${to}`)
  await desk.page.getByRole('heading', { level: 1 }).filter({ hasText: name }).waitFor()
})

test('on a phone each row is a card with its state and what is done with it, and nothing is wider than the window', async () => {
  const phone = await shared.world.open('phone', { viewport: { width: 390, height: 844 } })
  await signIn(shared.world, phone.page, 'admin')
  expect(await inAll(phone, awry)).toEqual({})
})

test('a named filter stands in the address, those of one state add up to all, and going back undoes it', async () => {
  const { page, ...rest } = await shared.world.open()
  await signIn(shared.world, page, 'admin')
  await go({ page, ...rest }, '/pay/order')
  const chips = page.getByRole('group', { name: '筛选' })
  const chip = (label: string) => chips.getByRole('button', { name: label })
  await chip('全部').locator('span').waitFor()
  const numbers = await chips.locator('button span').allTextContents()
  const [all = 0, ...each] = numbers.map(Number).toReversed()
  expect(all).toBe(4)
  expect(each.reduce((sum, one) => sum + one, 0)).toBe(all)
  const pressed = () => chips.getByRole('button', { pressed: true }).textContent()
  expect(await pressed()).toBe('异常2')
  await chip('成功').click()
  await page.waitForURL(`**/pay/order?chip=${encodeURIComponent('成功')}`)
  await expect.poll(() => page.locator('.ant-table-row:visible').count()).toBe(1)
  await page.goBack()
  await expect.poll(pressed).toBe('异常2')
  await expect.poll(() => page.locator('.ant-table-row:visible').count()).toBe(2)
})

test('a position leads to its sign-ups, a room to its seats, and the staff of an exam to those of another', async () => {
  const desk = await shared.world.open()
  const { page } = desk
  await signIn(shared.world, page, 'admin')
  const rows = page.locator('.ant-table-row:visible')
  await open(desk, '/exam/examitems')
  const position = rows.filter({ hasText: '急诊医学科护理（夜班）' })
  await position.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name: '看报名' }).click()
  await page.waitForURL(`**/exam/${examId}/signups?finalCode=A0101**`)
  await expect.poll(() => rows.count()).toBe(2)
  await open(desk, '/exam/examroom')
  await rows.first().getByRole('button', { name: '看座位' }).click()
  await page.waitForURL(new RegExp(`/exam/${examId}/seats\\?itemId=\\d+&roomId=\\d+`))
  await page.getByRole('main').getByText('001').filter({ visible: true }).first().waitFor()
  await go(desk, `/exam/examuser?examId=${examId}`)
  await page.getByRole('button', { name: '从其他考试复制' }).filter({ visible: true }).click()
  await page.getByRole('dialog', { name: '从其他考试复制' }).waitFor()
})
