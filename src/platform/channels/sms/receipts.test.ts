import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EnableStatus, ExamRole, ExamStatus, MsgStatus, SendStatus, SmsVendor } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examuser } from '#schemas/exams/examuser'
import { Sms } from '#schemas/resource/sms'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { makeUser, stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, morning } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { give, sendOut } from '../../../../tests/helper/send-bench.ts'
import { type SmsProviderServer, smsProvider, type TakenSms } from '../../../../tests/helper/sms-providers.ts'
import { deadNumbers } from '../../accounts/server/contacts.ts'
import { liveFor } from '../../database/live.ts'

const keys = ['tencent', 'qiniu', 'yunpian', 'aliyun'] as const
type Key = (typeof keys)[number]

const servers = {} as Record<Key, SmsProviderServer>
const lines: string[] = []
let t: TestApp
let staff: Caller
beforeAll(async () => {
  for (const key of keys) servers[key] = await smsProvider(key, () => t.app.now())
  const smsHosts = Object.fromEntries(Object.values(servers).map(({ key, host }) => [key, host]))
  t = await testApp({ now: morning, config: { demo: false, smsHosts, logTo: line => void lines.push(line) } })
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  await t?.close()
  for (const server of Object.values(servers)) await server.close()
})
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query(
    `TRUNCATE sms, sms_sent, sms_day, sms_circuit, sms_early_receipt, throttle, sendledger, send, sendmessage, work_item,
     log_api CASCADE`,
  )
  for (const server of Object.values(servers)) server.clear()
  await give(t, 50)
})

const later = (seconds: number) => t.setNow(new Date(t.app.now().getTime() + seconds * 1000))

/** An account at a provider, in use. @returns the id of its row */
async function account(key: Key, more: object = {}): Promise<string> {
  const { accessKey, secretKey, appId } = servers[key].account
  const row = await insert(t.app, Sms, {
    category: SmsVendor[key],
    smsCode: 'notice',
    priority: 1,
    templateId: 'T_1',
    templateContent: '验证码{code}',
    signName: '聚贤',
    accessKey: t.app.vault.seal(accessKey),
    secretKey: secretKey ? t.app.vault.seal(secretKey) : null,
    appId,
    smsStatus: EnableStatus.enabled,
    ...more,
  })
  return row.id
}

/** Where a provider sends its receipts, as the row of the account says it. */
async function addressOf(id: string, who = staff): Promise<string> {
  const { data } = await as(t, who).get<{ receiptUrl: string }>(`/api/blade-resource/sms/detail?id=${id}`)
  return data.receiptUrl.replace(/^https?:\/\/[^/]+/, '')
}

const push = async (url: string, { type, body }: { type: string; body: string }) => {
  const answer = await t.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload: body })
  return [answer.statusCode, answer.body]
}

const send = async (...phones: string[]) => {
  const values = { code: 'notice', phones: phones.join(','), params: JSON.stringify({ code: '1' }) }
  const answer = await as(t, staff).post('/api/blade-resource/sms/endpoint/send-message', values)
  expect(answer).toMatchObject({ data: { accepted: phones.length } })
  await sendOut(t)
}
const states = async () => {
  const rows = await t.db.selectFrom('sendmessage').select(['msgStatus', 'errMsg']).orderBy('id').execute()
  return rows.map(row => [row.msgStatus, row.errMsg])
}
const sending = async () => {
  const { sendStatus, successNum, failNum } = await t.db.selectFrom('send').selectAll().executeTakeFirstOrThrow()
  return [sendStatus, successNum, failNum]
}
const { sent, failed, sending: underway } = MsgStatus
const lost = '未送达：MK:0001'

describe.each(keys)('%s', key => {
  const server = () => servers[key]
  const receipt = (one: TakenSms, problem: string | null = 'MK:0001') => server().receipt(one, problem)

  test('tells what became of messages, is thanked in its own words, and counts once', async () => {
    const url = await addressOf(await account(key))
    await send(samplePhone(1), samplePhone(2))
    expect([await states(), await sending()]).toEqual([Array(2).fill([sent, null]), [SendStatus.done, 2, 0]])
    const [first, second] = [1, 2].map(n => server().taken.find(one => one.phone === samplePhone(n))!)
    expect(await push(url, receipt(first!, null))).toEqual([200, server().thanks])
    expect(await sending()).toEqual([SendStatus.done, 2, 0])
    // Two days later, several times and all at once.
    later(2 * 86_400)
    const answers = await Promise.all([1, 2, 3, 4].map(() => push(url, receipt(second!))))
    expect(answers).toEqual(Array(4).fill([200, server().thanks]))
    await push(url, receipt(second!, null))
    await push(url, receipt(first!))
    expect((await states()).toSorted()).toEqual([
      [sent, null],
      [failed, lost],
    ])
    expect(await sending()).toEqual([SendStatus.partlyFailed, 1, 1])
    expect(await t.app.sms.query(second!.id)).toBe('failed')
    expect(await t.app.sms.pull()).toBe(0)
  })

  test('is not believed by another address, for another account, number or phone, and says nothing it was not asked', async () => {
    const id = await account(key)
    const other = await account(key, { smsCode: 'other' })
    const url = await addressOf(id)
    await send(samplePhone(1))
    const [one] = server().taken
    const missing = [404, '']
    for (const wrong of [
      `/api/channel/${id}/${'0'.repeat(64)}`,
      `/api/channel/${id}/x`,
      `${url}0`,
      url.replace(`/${id}/`, `/${other}/`),
      url.replace(`/${id}/`, '/1/'),
      url.replace(`/${id}/`, '/x/'),
    ])
      expect(await push(wrong, receipt(one!))).toEqual(missing)
    expect(await push(await addressOf(other), receipt(one!))).toEqual([200, server().thanks])
    for (const forged of [
      { ...one!, phone: samplePhone(2) },
      { ...one!, bizNo: '9', id: key === 'tencent' ? '' : 'x' },
      { ...one!, bizNo: '' },
    ])
      if (forged.bizNo !== '' || key === 'tencent')
        expect(await push(url, receipt(forged))).toEqual([200, server().thanks])
    for (const body of ['', 'null', '[]]', '{"items":1}', 'sms_status=%', `${'['.repeat(3000)}`])
      expect(await push(url, { type: 'application/json', body })).toEqual([400, ''])
    expect([await states(), await t.db.selectFrom('sms_early_receipt').selectAll().execute()]).toEqual([
      [[sent, null]],
      [],
    ])
  })

  test('may tell before it has answered', async () => {
    const url = await addressOf(await account(key))
    server().beforeAnswer(async one => {
      expect(await push(url, receipt(one))).toEqual([200, server().thanks])
    })
    await send(samplePhone(1))
    expect([await states(), await sending()]).toEqual([[[failed, lost]], [SendStatus.partlyFailed, 0, 1]])
    expect(await t.db.selectFrom('sms_early_receipt').selectAll().execute()).toEqual([])
  })

  test('tells of a message whose answer was lost, as far as it gives our number back', async () => {
    const url = await addressOf(await account(key))
    server().will('cut')
    await send(samplePhone(1))
    expect(await states()).toEqual([[underway, null]])
    expect(await push(url, receipt(server().taken[0]!, null))).toEqual([200, server().thanks])
    later(61)
    await sendOut(t)
    const unknown = [failed, '结果不明：服务商没有应答，也查不到；对方可能已收到，重发前请核实']
    expect(await states()).toEqual([key === 'tencent' ? unknown : [sent, null]])
    expect(server().taken).toHaveLength(1)
  })
})

test('a message of which nothing could be learnt has arrived after all when its receipt comes', async () => {
  const url = await addressOf(await account('qiniu'))
  servers.qiniu.will('cut')
  await send(samplePhone(1))
  for (const seconds of [61, 300, 1801]) {
    later(seconds)
    await sendOut(t)
  }
  expect((await sending()).concat(servers.qiniu.taken.length)).toEqual([SendStatus.partlyFailed, 0, 1, 1])
  await push(url, servers.qiniu.receipt(servers.qiniu.taken[0]!, null))
  expect([await states(), await sending()]).toEqual([[[sent, null]], [SendStatus.done, 1, 0]])
})

test('that it did not arrive is said two days later, and is among what the manager of its exam has to see to', async () => {
  const url = await addressOf(await account('qiniu'))
  const manager = await signIn(t, { role: 'exam_admin' })
  const exam = await insert(t.app, Examination, { examStatus: ExamStatus.released })
  const duty = { userId: manager.userId, examRole: ExamRole.manager, units: null, codes: null }
  await insert(t.app, Examuser, { examId: exam.id, ...duty })
  await send(samplePhone(1))
  await t.db.updateTable('send').set({ examId: exam.id }).execute()
  const todo = async () => {
    await stayLoggedIn(t)
    const { data } = await as(t, manager).get<{ todo: { title: string; num: number; opens: string }[] }>(
      '/api/blade-desk/home/staff',
    )
    return data.todo.filter(one => one.title === '近七日未送达的短信')
  }
  expect([await states(), await todo()]).toEqual([[[sent, null]], []])
  later(2 * 86_400)
  await push(url, servers.qiniu.receipt(servers.qiniu.taken[0]!, 'MK:0001'))
  const [[state, reason] = []] = await states()
  expect([state, reason]).toEqual([MsgStatus.failed, lost])
  const [line] = await todo()
  expect(line?.num).toBe(1)
  const list = new URLSearchParams(line?.opens.split('?')[1])
  const page = await as(t, manager).get<{ records: { errMsg: string }[] }>(
    `/api/blade-sendMessage/sendmessage/page?${list}`,
  )
  expect(page.data.records).toMatchObject([{ errMsg: lost }])
})

test('a number that two messages in a row did not reach is marked, until one arrives or it is another', async () => {
  const url = await addressOf(await account('qiniu'))
  const phone = samplePhone(9001)
  const userId = await makeUser(t, { role: 'candidate', phone } as never)
  const marked = async () =>
    (await t.db.selectFrom('contact').select('problem').where('userId', '=', userId).execute()).map(one => one.problem)
  const told = async (problem: string | null) => {
    await send(phone)
    await t.db.updateTable('sendmessage').set({ userId }).execute()
    await push(url, servers.qiniu.receipt(servers.qiniu.taken.at(-1)!, problem))
    later(120)
    return marked()
  }
  expect(await told('MK:0001')).toEqual([])
  expect(await told(null)).toEqual([])
  expect(await told('MK:0001')).toEqual([])
  // The same receipt again is no second failure.
  await push(url, servers.qiniu.receipt(servers.qiniu.taken.at(-1)!, 'MK:0001'))
  expect(await marked()).toEqual([])
  expect(await told('MK:0001')).toEqual([lost])
  const dead = async () =>
    deadNumbers(liveFor(t.app, { tenantId: '000000', userId: null, now: () => t.app.now() }), [userId])
  expect([...(await dead())]).toEqual([t.app.vault.hash('000000', phone)])
  expect(await told(null)).toEqual([null])
  expect([...(await dead())]).toEqual([])
})

test('the address is shown to whoever may change the account, and stands in no log', async () => {
  const id = await account('yunpian')
  const url = await addressOf(id)
  expect(url).toMatch(new RegExp(`^/api/channel/${id}/[0-9a-f]{64}$`))
  const viewer = await signIn(t, { permissions: ['sms', 'sms_view'] })
  const { data } = await as(t, viewer).get<object>(`/api/blade-resource/sms/detail?id=${id}`)
  expect(data).not.toHaveProperty('receiptUrl', expect.stringContaining('channel'))
  await push(url, { type: 'application/json', body: 'x' })
  await t.app.journal.flush()
  const logged = await t.db.selectFrom('log_api').selectAll().execute()
  const secret = url.split('/').at(-1)!
  expect([JSON.stringify(logged).includes(secret), lines.some(line => line.includes(secret))]).toEqual([false, false])
  expect(lines.some(line => line.includes('/api/channel/:accountId/:secret'))).toBe(true)
})
