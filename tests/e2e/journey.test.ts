import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shanghai } from '../helper/app.ts'
import { login, makeUser } from '../helper/login.ts'
import { createExam, createStage, days, examName, importRows } from './journey/exam.ts'
import { openWorld, signIn, type World } from './world.ts'

let world: World
let admin: Page

beforeAll(async () => {
  world = await openWorld()
  await world.at(shanghai(days.before))
})
afterAll(() => world?.close())

describe('the exam administrator', () => {
  test('makes an exam with a stage and positions', async () => {
    const { t } = world
    const { headers } = await login(t, 'admin')
    for (const [dictKey, dictValue] of [['101', '区第一医院'], ['102', '区中医院']]) {
      const data = { code: 'recruit_unit', parentId: '0', dictKey, dictValue, sort: 1 }
      console.log(await t.call({ method: 'POST', url: '/api/blade-system/dict-biz/submit', headers, payload: data }))
    }
    await makeUser(t, { account: 'kaowu', role: 'exam_admin' })
    admin = (await world.open()).page
    await signIn(world, admin, 'kaowu')
    await createExam(admin)
    await createStage(admin)
    const post = { 考试: examName, 招聘计划数: 2, 开考比例: 1, 考试项目: '笔试', 不设开考比例: '是' }
    await importRows(admin, '/exam/examitems', [
      { ...post, 招聘单位: '区第一医院', 岗位类别: '卫技', 岗位代码: 'A01', 岗位名称: '临床医师' },
    ])
    expect(await admin.getByText('临床医师').count()).toBeGreaterThan(0)
  }, 120_000)
})
