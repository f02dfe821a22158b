import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shanghai } from '../helper/app.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'
import * as candidate from './journey/candidate.ts'
import * as exam from './journey/exam.ts'
import * as pay from './journey/pay.ts'
import * as review from './journey/review.ts'
import * as seats from './journey/seats.ts'
import * as staff from './journey/staff.ts'
import { importRows } from './sheet.ts'
import { tapsOn } from './taps.ts'
import { language, like, t } from './words.ts'
import { openSignIn, openWorld, signIn, type World } from './world.ts'

const { days, examName } = exam
const who: candidate.Applicant = {
  account: 'linxiao',
  realName: '林晓',
  idCard: sampleIdCard(7),
  phone: samplePhone(7),
}

const member = (account: string, realName: string, role: string, n: number): staff.Member => {
  return { account, realName, role, idCard: sampleIdCard(n) }
}
const members = {
  kaowu: member('kaowu', '考务甲', '考务管理员', 101),
  shenhe1: member('shenhe1', '审核甲', '初审员', 102),
  shenhe2: member('shenhe2', '审核乙', '初审员', 103),
  caiwu: member('caiwu', '财务甲', '财务', 104),
}

let world: World
let admin: Page
let phone: Page
let examId: string
let signNo: string

/** Moves the clock on to a day of the exam. */
const on = (day: keyof typeof days) => world.at(shanghai(days[day]))

beforeAll(async () => {
  world = await openWorld()
  await on('before')
})
afterAll(() => world?.close())

describe('the administrator', () => {
  test('names the recruiting units and makes the accounts of the staff', async () => {
    const { page } = await world.open()
    await signIn(world, page, 'admin')
    await staff.addUnits(page, ['区第一医院', '区中医院'])
    await staff.addMembers(page, Object.values(members))
  })
})

describe('the exam administrator', { sequential: true }, () => {
  test('makes an exam, its stage and, from a workbook, its positions', async () => {
    admin = await staff.enter(world, members.kaowu)
    await exam.createExam(admin)
    await exam.createStage(admin)
    const post = { 考试: examName, 招聘计划数: 2, 开考比例: 1, 考试项目: '笔试', 不设开考比例: '是' }
    await importRows(admin, '/exam/examitems', [
      { ...post, 招聘单位: '区第一医院', 岗位类别: '临床', 岗位代码: 'A01', 岗位名称: '临床医师' },
      { ...post, 招聘单位: '区中医院', 岗位类别: '药学', 岗位代码: 'B01', 岗位名称: '中药师' },
    ])
    await admin.getByRole('cell', { name: '中药师' }).first().waitFor()
    const row = await world.t.db
      .selectFrom('examination')
      .select('id')
      .where('examCode', '=', 'ZP2027')
      .executeTakeFirst()
    examId = row?.id ?? ''
  })

  test('is told what a release lacks, mends it and releases', async () => {
    const lacking = ['报名表至少有一个信息项', '附件项中有证件照', '每个招聘单位都有初审员']
    expect(await exam.missing(admin, examId)).toEqual(lacking.map(text => t(text)))
    await exam.buildForm(admin, examId)
    await exam.appoint(admin, { 审核甲: '初审员', 审核乙: '初审员', 财务甲: '财务' })
    expect(await exam.missing(admin, examId)).toEqual([])
    await exam.release(admin, examId)
  })
})

describe('a candidate with a phone', { sequential: true }, () => {
  let taps: () => number

  test('comes from the public page of the exam, registers, and stands in its form', async () => {
    await on('signing')
    phone = (await world.open('phone')).page
    taps = await tapsOn(phone.context())
    // The language is chosen there.
    await openSignIn(phone)
    taps()
    await candidate.register(phone, '临床医师', who)
    await phone.getByText('临床医师 · 区第一医院 · A01').waitFor()
  })

  test('fills the form in, keeps it over a reload, and hands it in, all within forty taps', async () => {
    await candidate.next(phone)
    await candidate.fillItems(phone, '临床医学')
    await candidate.fillStudies(phone)
    await candidate.next(phone)
    await phone.getByText(t('草稿已保存')).waitFor()
    await candidate.giveFiles(phone)
    await phone.reload()
    await phone.getByText('degree.png').waitFor()
    await candidate.next(phone)
    await phone.getByRole('definition').filter({ hasText: '临床医学' }).first().waitFor()
    signNo = await candidate.handIn(phone)
    expect(taps()).toBeLessThanOrEqual(40)
    await phone.getByRole('button', { name: t('查看我的报名') }).click()
    await phone.getByRole('heading', { name: t('办理进度') }).waitFor()
    await phone.getByRole('definition').filter({ hasText: signNo }).waitFor()
    // Back does not lead into the form again.
    const own = phone.url()
    await phone.goBack()
    await phone.getByRole('list', { name: t('办理进度') }).waitFor()
    expect(phone.url()).toBe(own)
    expect(await phone.getByRole('button', { name: t('提交报名') }).count()).toBe(0)
  })
})

describe('the reviewers', { sequential: true }, () => {
  let first: Page
  let second: Page

  test('return it with a word on an item; the candidate mends that and nothing else', async () => {
    first = await staff.enter(world, members.shenhe1)
    await review.open(first, who.realName)
    await review.remarkOn(first, '所学专业', '请按毕业证书填写全称')
    await review.sendBack(first)
    await candidate.mend(phone, '所学专业', '临床医学（五年制）')
  })

  test('meet each other: one passes it, the other is told and keeps what he wrote', async () => {
    second = await staff.enter(world, members.shenhe2)
    await review.open(first, who.realName)
    await review.open(second, who.realName)
    await second.getByLabel(t('审核意见'), { exact: true }).fill('学习经历不全')
    await review.pass(first)
    await second.getByRole('button', { name: t('退回修改 (3)') }).click()
    await second
      .getByRole('dialog', {
        name: language() === 'en' ? /^审核甲 decided on this at/ : /^该报名已由审核甲于.*处理，请刷新$/,
      })
      .waitFor()
    await second.getByRole('button', { name: t('刷新') }).click()
    await second.getByText(t('该报名当前不需要您审核')).waitFor()
    await second.getByText(t('您写的意见：{{text}}', { text: '学习经历不全' })).waitFor()
  })
})

describe('the fee', { sequential: true }, () => {
  test('is released by finance, announced to the candidate, and paid at the cashier', async () => {
    await on('paying')
    const finance = await staff.enter(world, members.caiwu)
    await pay.releaseFee(finance)
    phone = (await world.open('phone')).page
    await signIn(world, phone, who.account, candidate.ownPassword)
    await phone.getByText(like('{{exam}} {{item}}：待缴 {{yuan}} 元，{{end}} 截止', { yuan: '80.00' })).click()
    await pay.payByPhone(phone)
  })
})

describe('seats and tickets', { sequential: true }, () => {
  test('are drawn with a seed that is kept, locked and released', async () => {
    await on('seating')
    await admin.goto(`/ticket/allot?examId=${examId}`)
    await seats.importRooms(admin)
    await seats.draw(admin, 'seed-2027')
    await seats.lockAndRelease(admin)
  })

  test('reach the candidate as a PDF and on the screen', async () => {
    await on('ticketing')
    const bytes = await seats.fetchTicket(phone)
    expect(bytes.length).toBeLessThan(300 * 1024)
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    await phone.getByRole('button', { name: t('在屏幕上查看') }).click()
    await phone.getByText(who.idCard).waitFor()
    await phone.getByText('区第一中学').first().waitFor()
  })
})

/** Names of rows are data and keep the language they were given in. */
async function namesOfRows(): Promise<ReadonlySet<string>> {
  const { rows } = await world.t.pool.query<{ name: string }>(`SELECT "roleName" AS name FROM role
    UNION SELECT "realName" FROM "user" UNION SELECT "itemName" FROM examinationitem UNION SELECT "fileName" FROM examsignfiles
    UNION SELECT "dictValue" FROM dict_biz WHERE "dictKey" = '-1'`)
  return new Set(rows.map(row => row.name))
}

test('nobody has met a text that is not in his language', async () => {
  const names = await namesOfRows()
  expect(world.untranslated().filter(text => !names.has(text))).toEqual([])
})
