import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EnableStatus, SmsVendor } from '#schemas/dictionaries'
import { Sms } from '#schemas/resource/sms'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { as, morning } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { type SmsProviderServer, smsProvider } from '../../../../tests/helper/sms-providers.ts'
import { tellDue } from '../../../modules/notifications/server/tell.ts'
import { type AccountRow, noteSuccess } from './accounts.ts'
import type { NewSms, SmsError } from './channel.ts'

const servers = {} as Record<'tencent' | 'yunpian' | 'qiniu', SmsProviderServer>
let t: TestApp
let second: TestApp
let staff: Caller
beforeAll(async () => {
  for (const key of ['tencent', 'yunpian', 'qiniu'] as const) servers[key] = await smsProvider(key, () => t.app.now())
  const smsHosts = Object.fromEntries(Object.values(servers).map(({ key, host }) => [key, host]))
  t = await testApp({ now: morning, config: { demo: false, smsHosts } })
  second = await testApp({ url: t.url, now: morning, config: { demo: false, smsHosts } })
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  await second?.close()
  await t?.close()
  for (const server of Object.values(servers)) await server.close()
})
let serial = 0
beforeEach(async () => {
  for (const one of [t, second]) one.setNow(morning)
  await stayLoggedIn(t)
  await t.pool.query('TRUNCATE sms, sms_sent, sms_day, sms_circuit, sms_early_receipt, throttle, log_usual CASCADE')
  for (const server of Object.values(servers)) server.clear()
})

const later = (seconds: number) => {
  const time = new Date(t.app.now().getTime() + seconds * 1000)
  for (const one of [t, second]) one.setNow(time)
}

/** An account at a provider, in use. @returns the id of its row */
async function account(key: keyof typeof servers, more: object = {}): Promise<string> {
  const { accessKey, secretKey, appId } = servers[key].account
  const row = await insert(t.app, Sms, {
    category: SmsVendor[key],
    smsCode: 'signup.returned',
    priority: 1,
    templateId: `T_${key}`,
    templateContent: '您在{exam}的报名被退回',
    signName: '聚贤',
    accessKey: t.app.vault.seal(accessKey),
    secretKey: secretKey ? t.app.vault.seal(secretKey) : null,
    appId,
    smsStatus: EnableStatus.enabled,
    ...more,
  })
  return row.id
}

const message = (more: Partial<NewSms> = {}): NewSms => ({
  id: `n${++serial}`,
  tenantId: '000000',
  smsCode: 'signup.returned',
  phone: samplePhone(serial),
  params: { exam: '招聘' },
  ...more,
})
const send = (more: Partial<NewSms> = {}, by = t) =>
  by.app.sms.send(message(more)).then(
    () => 'sent',
    (error: SmsError) => error.fault,
  )
const books = () => Object.values(servers).map(({ taken }) => taken.length)
const circuits = async () => (await t.db.selectFrom('sms_circuit').selectAll().execute()).map(one => one.openUntil)
const notes = async () => {
  for (const one of [t, second]) await one.app.journal.flush()
  const rows = await t.db.selectFrom('log_usual').select(['logId', 'logLevel', 'logData']).execute()
  return rows.map(row => [row.logId, row.logLevel, JSON.parse(row.logData ?? '{}').reason])
}

test('a message goes out by the main account, whose template has the same code as that of its reserve', async () => {
  await account('yunpian', { priority: 2 })
  await account('tencent')
  await account('qiniu', { smsCode: 'other' })
  expect([await send(), await send({ smsCode: 'other' }), await send({ smsCode: 'none' })]).toEqual([
    'sent',
    'sent',
    'settings',
  ])
  expect(await send({ tenantId: '000008' })).toBe('settings')
  expect(books()).toEqual([1, 0, 1])
})

test('five faults within a minute open the circuit for a minute in every process; then one message tries', async () => {
  await account('tencent')
  await account('yunpian', { priority: 2 })
  servers.tencent.always('error')
  const first = [await send(), await send({}, second), await send(), await send({}, second)]
  expect([first, await circuits()]).toEqual([['later', 'later', 'later', 'later'], [null]])
  expect(await send()).toBe('later')
  expect([await circuits(), servers.tencent.state.calls]).toEqual([[expect.any(Date)], 5])
  // The reserve has all of them, whoever sends, and the main account is left alone.
  expect(await Promise.all([send(), send({}, second), send(), send({}, second)])).toEqual(Array(4).fill('sent'))
  expect([books(), servers.tencent.state.calls]).toEqual([[0, 4, 0], 5])
  later(61)
  const tries = await Promise.all([send(), send({}, second), send(), send({}, second)])
  expect([tries.filter(one => one === 'later').length, servers.tencent.state.calls]).toEqual([1, 6])
  later(61)
  servers.tencent.always('accept')
  expect(await Promise.all([send(), send({}, second), send()])).toEqual(Array(3).fill('sent'))
  expect([servers.tencent.taken.length, await circuits()]).toEqual([1, []])
  expect(await Promise.all([send(), send({}, second)])).toEqual(['sent', 'sent'])
  expect(servers.tencent.taken.length).toBe(3)
  const ids = Object.values(servers).flatMap(({ taken }) => taken.map(one => one.id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('faults between which messages go out open no circuit', async () => {
  await account('tencent')
  const outcomes: string[] = []
  for (let n = 0; n < 8; n++) {
    servers.tencent.will('error')
    outcomes.push(await send(), await send({}, n % 2 ? second : undefined))
  }
  expect(outcomes).toEqual(Array(8).fill(['later', 'sent']).flat())
  expect([await circuits(), servers.tencent.state.calls]).toEqual([[], 16])
})

test('a message that went out before a circuit was opened does not close it', async () => {
  await account('tencent')
  const row = {
    id: (await t.db.selectFrom('sms').select('id').executeTakeFirstOrThrow()).id,
    faults: 1,
    openUntil: null,
  }
  servers.tencent.always('error')
  for (let n = 0; n < 5; n++) await send()
  await noteSuccess(t.app, row as AccountRow)
  expect(await circuits()).toEqual([expect.any(Date)])
})

test('a message that no account could be handed has not been tried', async () => {
  await account('tencent')
  servers.tencent.always('error')
  for (let n = 0; n < 5; n++) await send()
  const now = t.app.now()
  await expect(t.app.sms.send(message())).rejects.toMatchObject({
    fault: 'later',
    until: new Date(now.getTime() + 60_000),
  })
  expect(servers.tencent.state.calls).toBe(5)
  later(61)
  await expect(t.app.sms.send(message())).rejects.toMatchObject({ fault: 'later', until: null })
})

test('faults that are further apart open no circuit', async () => {
  await account('tencent')
  servers.tencent.always('throttle')
  for (let n = 0; n < 8; n++) {
    later(20)
    await send()
  }
  expect([await circuits(), servers.tencent.state.calls]).toEqual([[null], 8])
})

test('a message that was put off has a second turn at the main account, then the reserves have theirs', async () => {
  await account('tencent')
  await account('yunpian', { priority: 2 })
  for (const server of [servers.tencent, servers.yunpian]) server.always('throttle')
  const asked = async (putOff: number) => {
    const before = [servers.tencent.state.calls, servers.yunpian.state.calls]
    await send({ putOff })
    return [servers.tencent.state.calls - before[0]!, servers.yunpian.state.calls - before[1]!]
  }
  expect([await asked(0), await asked(1), await asked(2), await asked(3)]).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
    [1, 0],
  ])
})

test('where somebody waits, the next account has its turn at once', async () => {
  await account('tencent')
  await account('yunpian', { priority: 2 })
  servers.tencent.will('throttle')
  expect([await send({ isUrgent: true }), books()]).toEqual(['sent', [0, 1, 0]])
})

test('a fault of the settings pauses the account, tells once, and the next account sends at once', async () => {
  const main = await account('tencent')
  await account('yunpian', { priority: 2 })
  servers.tencent.always('template')
  expect(await Promise.all([send(), send({}, second), send()])).toEqual(['sent', 'sent', 'sent'])
  expect(await send()).toBe('sent')
  const calls = servers.tencent.state.calls
  expect(await send({}, second)).toBe('sent')
  expect([books(), servers.tencent.state.calls]).toEqual([[0, 5, 0], calls])
  const paused = (await notes()).filter(([, , reason]) => reason !== undefined)
  expect(paused).toEqual([['channel.trouble', 'error', '短信模板不存在或未通过审核']])
  const facts = { smsCode: 'signup.returned', pauseReason: '短信模板不存在或未通过审核' }
  expect(
    await t.db.selectFrom('event').select(['subjectId', 'facts']).where('code', '=', 'sms.paused').execute(),
  ).toEqual([{ subjectId: main, facts }])
  await tellDue(t.app)
  const told = await t.db.selectFrom('message').select('userId').where('code', '=', 'sms.paused').execute()
  expect(told.map(one => one.userId)).toContain(staff.userId)
  const { data } = await as(t, staff).get<{ pauseReason: string }>(`/api/blade-resource/sms/detail?id=${main}`)
  expect(data.pauseReason).toBe('短信模板不存在或未通过审核')
  // Nobody's money is spent on what did not go out.
  expect(await t.db.selectFrom('sms_day').select('segments').execute()).toEqual([{ segments: 5 }])
  servers.tencent.always('accept')
  later(61)
  const changed = { id: main, category: SmsVendor.tencent, templateId: 'T_new' }
  expect(await as(t, staff).post('/api/blade-resource/sms/submit', changed)).toMatchObject({ code: 200 })
  expect([await send(), servers.tencent.taken.map(one => one.template)]).toEqual(['sent', ['T_new']])
})

test('a message whose fate is unknown goes by no other account', async () => {
  await account('tencent')
  await account('yunpian', { priority: 2 })
  const one = message()
  servers.tencent.will('cut')
  await expect(t.app.sms.send(one)).rejects.toMatchObject({ fault: 'unknown' })
  for (const by of [t, second]) await expect(by.app.sms.send(one)).rejects.toMatchObject({ fault: 'unknown' })
  expect(books()).toEqual([1, 0, 0])
  later(61)
  expect(await t.app.sms.query(one.id)).toBe('cannot')
  await expect(t.app.sms.send({ ...one, putOff: 2 })).rejects.toMatchObject({ fault: 'unknown' })
  expect(books()).toEqual([1, 0, 0])
})

test('an account that can be asked tells of a lost message, once its time has come', async () => {
  await account('yunpian')
  const [had, lost] = [message(), message()]
  servers.yunpian.will('cut', 'deaf')
  for (const one of [had, lost]) await expect(t.app.sms.send(one)).rejects.toMatchObject({ fault: 'unknown' })
  expect(await t.app.sms.query('never heard of')).toBe('never')
  expect(await t.app.sms.query(had.id)).toBe('taken')
  await expect(t.app.sms.query(lost.id)).rejects.toMatchObject({ fault: 'unknown' })
  const { questions } = servers.yunpian.state
  await expect(second.app.sms.query(lost.id)).rejects.toMatchObject({ fault: 'unknown' })
  expect(servers.yunpian.state.questions).toBe(questions)
  later(601)
  expect(await second.app.sms.query(lost.id)).toBe('never')
  expect([await t.app.sms.send(lost).then(one => one.bizNo), books()]).toEqual(['90071992547409931', [0, 2, 0]])
})

test('the simulated provider is not pretended outside the demo', async () => {
  const id = await account('qiniu', { category: SmsVendor.simulated, smsStatus: EnableStatus.disabled })
  expect(await as(t, staff).post(`/api/blade-resource/sms/enable?id=${id}`)).toMatchObject({
    code: 29009,
    msg: '功能尚未开放',
  })
})

test('an address of a provider that does not exist is refused at the start', async () => {
  const smsHosts = { tencnet: 'https://sms.example.org' }
  await expect(testApp({ url: t.url, config: { smsHosts } })).rejects.toThrow('SMS_HOSTS names tencnet')
})

test('a reserve has a priority of its own, and settings are asked for as the provider needs them', async () => {
  const { post, get } = as(t, staff)
  const submit = (more: object) =>
    post<{ field: string }[]>('/api/blade-resource/sms/submit', {
      smsCode: 'own',
      templateId: 'T',
      templateContent: '{a}',
      signName: 'S',
      accessKey: 'a',
      ...more,
    })
  const fields = async (more: object) => {
    const { code, data } = await submit(more)
    return code === 200 ? [] : data.map(one => one.field)
  }
  expect(await fields({ category: SmsVendor.tencent })).toEqual(['secretKey', 'appId'])
  expect(await fields({ category: SmsVendor.qiniu })).toEqual(['secretKey'])
  expect(await fields({ category: SmsVendor.yunpian })).toEqual([])
  expect(await fields({ category: SmsVendor.tencent, secretKey: 's', appId: '14', priority: 1 })).toEqual(['priority'])
  expect(await fields({ category: SmsVendor.tencent, secretKey: 's', appId: '14', priority: 2 })).toEqual([])
  const { data } = await get<{ records: { id: string; priority: number }[] }>(
    '/api/blade-resource/sms/list?smsCode=own',
  )
  for (const { id } of data.records)
    expect(await post(`/api/blade-resource/sms/enable?id=${id}`)).toMatchObject({ code: 200 })
  const rows = await t.db.selectFrom('sms').select(['priority', 'smsStatus']).orderBy('priority').execute()
  expect(rows).toEqual([
    { priority: 1, smsStatus: 1 },
    { priority: 2, smsStatus: 1 },
  ])
})
