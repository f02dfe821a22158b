import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { solved, webClient } from '../../../../tests/helper/login.ts'
import { as, morning } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { samplePhone } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate, program, sendOut } from '../../../../tests/helper/send-bench.ts'
import { spendCode } from '../../../platform/auth/server/sms/code.ts'
import { balanceOf } from './ledger.ts'

let t: TestApp
let staff: Caller
beforeAll(async () => {
  t = await testApp({ now: morning })
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await t.pool.query('TRUNCATE sms, sms_code, sms_outbox, throttle, sendledger, send, sendmessage, work_item CASCADE')
  await makeTemplate(t, { smsCode: 'validate', templateContent: '验证码{code}，{minutes}分钟内有效。' })
})

const url = '/api/blade-auth/oauth/sms/send-validate'
const phone = samplePhone(77)
const ask = async (more: object = {}, headers?: Record<string, string>) =>
  t.call<{ id: string }>({
    method: 'POST',
    url,
    headers: headers ?? (await solved(t)),
    payload: { phone, purpose: 'register', ...more },
  })
const later = (seconds: number) => t.setNow(new Date(t.app.now().getTime() + seconds * 1000))

/** What the person with the phone reads. */
async function read(number = phone): Promise<string> {
  const body = new URLSearchParams({ phone: number }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const page = await t.app.inject({ method: 'POST', url: '/sandbox/sms/', headers, payload: body })
  return page.body
}
const codeIn = (page: string) => /验证码(\d{6})/.exec(page)?.[1] ?? ''
const spend = (id: string, code: string, more: object = {}) =>
  spendCode(t.app, { tenantId: '000000', address: phone, purpose: 'register', id, code, ...more })

test('a template that the server itself sends with says what it is sent for', async () => {
  const save = (smsCode: string, templateContent: string) =>
    t.call<{ field: string }[]>({
      method: 'POST',
      url: '/api/blade-resource/sms/submit',
      headers: staff.headers,
      payload: {
        category: 3,
        smsCode,
        templateId: 'T9',
        templateContent,
        signName: '聚贤',
        accessKey: 'a',
        secretKey: 's',
      },
    })
  await t.pool.query('TRUNCATE sms CASCADE')
  for (const [code, content] of [
    ['validate', '您的验证码是{1}，{2}分钟内有效'],
    ['claim', '您的申请有结果了'],
  ] as const) {
    const refused = await save(code, content)
    expect(refused).toMatchObject({ code: 29005, data: [{ field: 'templateContent' }] })
  }
  expect((await save('validate', '您的验证码是{code}，{minutes}分钟内有效')).code).toBe(200)
  expect((await save('claim', '您的申请{result}')).code).toBe(200)
  expect((await save('own', '没有变量')).code).toBe(200)
})

describe('a code', () => {
  test('B9 · is read on the sandbox’s page by whoever holds the phone, and serves once', async () => {
    const { data } = await ask()
    const page = await read()
    expect(page).toContain('【聚贤】验证码')
    expect(await read(samplePhone(78))).toContain('没有短信')
    const code = codeIn(page)
    await expect(spend(data.id, code, { purpose: 'login' })).rejects.toMatchObject({ code: 20007 })
    await expect(spend(data.id, code, { address: samplePhone(78) })).rejects.toMatchObject({ code: 20007 })
    await spend(data.id, code)
    await expect(spend(data.id, code)).rejects.toMatchObject({ code: 20007 })
  })

  test('B9 · holds five minutes and five tries', async () => {
    const first = (await ask()).data
    const code = codeIn(await read())
    later(299)
    for (let n = 0; n < 4; n++) await expect(spend(first.id, '000000x')).rejects.toMatchObject({ code: 20007 })
    await spend(first.id, code)
    later(60)
    const second = (await ask()).data
    const other = codeIn(await read())
    for (let n = 0; n < 5; n++) await expect(spend(second.id, 'x')).rejects.toMatchObject({ code: 20007 })
    await expect(spend(second.id, other)).rejects.toMatchObject({ code: 20007 })
    later(60)
    const third = (await ask()).data
    const last = codeIn(await read())
    later(300)
    await expect(spend(third.id, last)).rejects.toMatchObject({ code: 20007 })
  })

  test('B18 · needs a captcha, once a minute, ten a day to a phone; of an address as many an hour as the parameter says', async () => {
    expect(await ask({}, {})).toMatchObject({ code: 20001 })
    expect((await ask()).code).toBe(200)
    expect(await ask()).toMatchObject({ code: 20008, status: 429 })
    for (let n = 2; n <= 10; n++) {
      later(3601)
      expect((await ask()).code).toBe(200)
    }
    later(3601)
    expect(await ask()).toMatchObject({ code: 20008 })
    later(3601)
    for (let n = 1; n <= 21; n++) expect((await ask({ phone: samplePhone(200 + n) })).code).toBe(200)
    const limit = (n: string) =>
      t.db.updateTable('param').set({ paramValue: n }).where('paramKey', '=', 'limit.code.address').execute()
    await limit('22')
    expect((await ask({ phone: samplePhone(300) })).code).toBe(200)
    expect(await ask({ phone: samplePhone(301) })).toMatchObject({ code: 20008 })
    await limit('5000')
  })

  test('B27 · to a phone without an account looks the same and is not sent', async () => {
    const answer = await ask({ purpose: 'login' })
    expect(answer).toMatchObject({ code: 200, data: { id: expect.stringMatching(/^[0-9a-f]{32}$/) } })
    expect(await read()).toContain('没有短信')
    later(61)
    await t.db
      .updateTable('user')
      .set({ phoneHash: t.app.vault.hash('000000', phone) })
      .where('id', '=', staff.userId)
      .execute()
    await ask({ purpose: 'login' })
    expect(codeIn(await read())).toMatch(/^\d{6}$/)
  })

  test('lets its owner in, once', async () => {
    const mine = samplePhone(91)
    await t.db
      .updateTable('user')
      .set({ phoneHash: t.app.vault.hash('000000', mine) })
      .where('id', '=', staff.userId)
      .execute()
    const { id } = (await ask({ phone: mine, purpose: 'login' })).data
    const value = codeIn(await read(mine))
    const token = async (code: string) => {
      const query = { grant_type: 'sms_code', tenantId: '000000', phone: mine, codeId: id, value: code }
      const headers = { authorization: webClient }
      const answer = await t.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/token', headers, query })
      return answer.json()
    }
    expect(await token('x')).toMatchObject({ error_code: 20007 })
    expect(await token(value)).toMatchObject({ access_token: expect.any(String), user_id: staff.userId })
    expect(await token(value)).toMatchObject({ error_code: 20007 })
  })

  test('B18 · stops at the day’s most of the tenant', async () => {
    const most = (n: string) =>
      t.db.updateTable('param').set({ paramValue: n }).where('paramKey', '=', 'sms.dailyCodes').execute()
    await most('1')
    expect((await ask()).code).toBe(200)
    expect(await ask({ phone: samplePhone(79) })).toMatchObject({ code: 29007 })
    await most('5000')
  })

  test('is kept as a hash, and wrong phones are told', async () => {
    await ask()
    const code = codeIn(await read())
    const { rows } = await t.pool.query('SELECT * FROM sms_code')
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(JSON.stringify(rows)).not.toContain(phone)
    expect(await ask({ phone: '123' })).toMatchObject({ code: 29005 })
    expect(await ask({ purpose: 'fun' })).toMatchObject({ code: 29005 })
  })
})

describe('a single message by staff', () => {
  const direct = '/api/blade-resource/sms/endpoint/send-message'
  const send = (more: object = {}, who = staff) =>
    as(t, who).post(direct, { code: 'validate', phones: `${phone},123`, params: '{"code":"1","minutes":"5"}', ...more })

  test('is charged and goes out with the queue', async () => {
    expect(await send()).toMatchObject({ code: 27001 })
    later(61)
    await give(t, 3)
    expect(await send()).toMatchObject({ data: { accepted: 1, failed: [{ phone: '123' }] } })
    expect(await balanceOf(program(t))).toBe(2)
    await sendOut(t)
    expect(await read()).toContain('验证码1，5分钟内有效')
    expect(await send()).toMatchObject({ code: 27004 })
  })

  test('needs a template, its values and the right', async () => {
    expect(await send({ code: 'none' })).toMatchObject({ code: 29005 })
    expect(await send({ params: '{}' })).toMatchObject({ code: 27005 })
    expect(await send({ params: '[1' })).toMatchObject({ code: 29005 })
    expect(await send({}, await signIn(t, { role: 'reviewer' }))).toMatchObject({ code: 403 })
  })
})

describe('trying a template', () => {
  const setPhone = async (number: string) => {
    const values = { phone: t.app.vault.seal(number) }
    await t.db.updateTable('user').set(values).where('id', '=', staff.userId).execute()
  }
  const template = (more: object = {}) => makeTemplate(t, { smsCode: 'trial', templateContent: '{name}您好', ...more })
  const probe = async (id: string, who = staff) =>
    as(t, who).post<{ msg: string }>(`/api/blade-resource/sms/debug?id=${id}`, { text: '试试' })

  test('goes to the phone of whoever asks and says what the channel said, a few times', async () => {
    const { id } = await template()
    await setPhone(phone)
    const answer = await probe(id)
    expect(answer.data.msg).toMatch(/^渠道已受理，发往 139\*+0077，渠道流水号 SANDBOXprobe-/)
    expect(await read()).toContain('试试您好')
    expect(await probe(id)).toMatchObject({ code: 20008 })
    later(61)
    await setPhone('13900000000')
    expect((await probe(id)).data.msg).toBe('未能发送，渠道答复：空号')
  })

  test('needs a template of one’s own tenant, a phone and the right', async () => {
    const { id } = await template()
    const far = await signIn(t, { permissions: ['sms', 'sms_probe'], tenantId: '000008' })
    expect(await probe(id, far)).toMatchObject({ code: 29001 })
    expect(await probe(id, await signIn(t, { role: 'exam_admin' }))).toMatchObject({ status: 403 })
    await t.db.updateTable('user').set({ phone: '' }).where('id', '=', staff.userId).execute()
    expect(await probe(id)).toMatchObject({ code: 29005, msg: '参数不正确：您的账号没有手机号码' })
  })
})
