import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteByLanguage } from '../../src/modules/desk/server/routes/site.ts'
import { precheck } from '../../src/modules/exams/rules/sign-rules.ts'
import { inEnglish } from '../../src/platform/i18n/english.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { login, makeUser } from '../helper/login.ts'
import { serverFiles } from '../helper/tree.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

describe('refusals in the language of the page', () => {
  test.each([
    ['en', 'Please log in'],
    ['zh-CN', '请求未授权'],
    // A browser's own list is no word about the page it shows.
    ['en-US,en;q=0.9', '请求未授权'],
    [undefined, '请求未授权'],
  ])('Accept-Language %s', async (language, msg) => {
    const headers = language ? { 'accept-language': language } : {}
    const answer = await t.call({ url: '/api/blade-system/param/page', headers })
    expect(answer).toMatchObject({ status: 401, code: 401, msg })
  })
})

const files = serverFiles.filter(
  name => name.endsWith('.ts') && !name.includes('seed') && !name.startsWith('src/demo/'),
)

describe('sentences in the language of the page', () => {
  test.each(files)('every sentence of %s has its English', file => {
    const text = readFileSync(file, 'utf8')
    // HTTP's own refusals have one English text, whatever they say.
    const sentence = /(?:(?:msg|说明|要求|状态): |refuseSaying\(\s*'(?!request\.)[\w.]+',\s*)(['`])(.*?)\1/g
    const said = [...text.matchAll(sentence)].map(([, , one = '']) =>
      one.replace(/\$\{.*?\}(?=[^}]*$|[^}]*\$\{)/g, '7'),
    )
    expect(said.filter(one => /\p{Script=Han}/u.test(inEnglish(one)))).toEqual([])
  })

  test('fields that are missing or wrong', async () => {
    const { headers } = await login(t, 'admin')
    const ask = (language: string) =>
      t.call<{ field: string; msg: string }[]>({
        method: 'POST',
        url: '/api/blade-system/param/submit',
        headers: { ...headers, 'accept-language': language },
        payload: { paramName: 'x'.repeat(300) },
      })
    const english = await ask('en')
    expect(english.data).toContainEqual({ field: 'paramKey', msg: 'Enter: Parameter key' })
    expect(english.msg).not.toMatch(/\p{Script=Han}/u)
    expect((await ask('zh-CN')).data).toContainEqual({ field: 'paramKey', msg: '请输入参数键名' })
  })

  test('why rows were skipped', async () => {
    const { headers } = await login(t, 'admin')
    const ids = [await makeUser(t), await makeUser(t)]
    await t.db
      .updateTable('user')
      .set({ lockUntil: new Date(t.app.now().getTime() + 60_000) })
      .where('id', '=', ids[0]!)
      .execute()
    const ask = (language: string) =>
      t.call({
        method: 'POST',
        url: `/api/blade-system/user/unlock?userIds=${ids.join()}`,
        headers: { ...headers, 'accept-language': language },
      })
    const skipped = [{ id: ids[1], reason: 'The account is not locked' }]
    expect((await ask('en')).data).toEqual({ ok: [ids[0]], skipped })
    expect((await ask('zh-CN')).data).toMatchObject({ skipped: [{ reason: '账号未锁定' }] })
  })

  test('what the site and the accounts of the demo are called', async () => {
    const ask = (language: string) =>
      t.call<{ title: string; demoAccounts: { account: string; name: string }[] }>({
        url: '/api/public/site',
        headers: { 'accept-language': language },
      })
    const [english, chinese] = [await ask('en'), await ask('zh-CN')]
    expect([english.data.title, chinese.data.title]).toEqual(['Juxian Exam Registration', '聚贤考试报名系统'])
    expect(english.data.demoAccounts.map(one => one.name)).toContain('Super administrator')
    expect(chinese.data.demoAccounts.map(one => one.name)).toContain('超级管理员')
    // The same that the sign-in page is told.
    expect(await siteByLanguage(t.app)).toEqual({ 'zh-CN': chinese.data, en: english.data })
  })

  test('what a position demands', () => {
    const labels = {
      education: [
        { key: '30', value: '大学本科' },
        { key: '40', value: '大学专科' },
      ],
    }
    const position = { ageMax: 35, eduReq: '30', sexReq: 2, freshReq: 1, expYears: 3, majorReq: 'Surgery' }
    const content = { education: '40', workStart: '2024-07', freshGraduate: '1' }
    const exam = { ageBaseDate: '2026-11-20' }
    const found = precheck(position, { birthday: '1980-01-01', sex: 1 }, content, exam, labels)
    expect(found.map(one => inEnglish(one.msg))).toEqual([
      'Age at most 35 (on 2026-11-20), you are 46',
      "Education must be Bachelor's studies or higher, you gave Junior college",
      'Major must be Surgery, you have not given: Major',
      'Only this year’s graduates: met',
      'Sex must be female, you are not female',
      'At least 3 years of work, 2 years by 2026-11-20',
    ])
  })
})
