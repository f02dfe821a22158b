import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Field } from '#engine'
import { domainEvents } from '#resources/events'
import { HookAlgorithm, HookDeliveryStatus, HookOrder, HookStatus } from '#schemas/dictionaries'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { bodyOf } from './body.ts'
import { claim } from './claim.ts'
import { deliverDue, tidyDeliveries } from './deliver.ts'

const path = '/api/blade-develop/hook'
const log = '/api/blade-develop/hookdelivery'
const review = '/api/blade-signup/examine'
const { waiting, sending, delivered, givenUp } = HookDeliveryStatus

/** One call that the other system has had. */
interface Call {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The other system: what it was told, and what it answers by the path. */
const receiver = { calls: [] as Call[], port: 0, most: 0, under: 0 }
let answer: (call: Call) => { status: number; headers?: Record<string, string>; wait?: number }
const server = http.createServer((request, response) => {
  let body = ''
  request.on('data', part => {
    body += part
  })
  request.on('end', async () => {
    const call = { url: request.url ?? '', headers: request.headers as Record<string, string>, body }
    receiver.calls.push(call)
    receiver.most = Math.max(receiver.most, ++receiver.under)
    const { status, headers = {}, wait = 0 } = answer(call)
    if (wait) await new Promise(done => setTimeout(done, wait))
    receiver.under--
    response.writeHead(status, headers).end(status < 300 ? 'ok' : 'not now')
  })
})

let t: TestApp
let admin: Caller
beforeAll(async () => {
  t = await signApp()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  receiver.port = (server.address() as AddressInfo).port
  admin = await signIn(t, { role: 'admin' })
  await t.db
    .updateTable('param')
    .set({ paramValue: `127.0.0.1:${receiver.port}` })
    .where('paramKey', '=', 'hook.hosts')
    .execute()
})
afterAll(async () => {
  server.close()
  await t?.close()
})
beforeEach(async () => {
  receiver.calls.length = 0
  receiver.most = 0
  answer = () => ({ status: 200 })
  await t.db.deleteFrom('hookdelivery').execute()
  await t.db.updateTable('hook').set({ isDeleted: 1 }).execute()
  await t.db.updateTable('event').set({ toldTime: new Date() }).execute()
})

const address = (at = '/') => `http://127.0.0.1:${receiver.port}${at}`
let made = 0

/** A hook that is on, with its secret. */
async function makeHook(more: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const given = { name: `hook ${++made}`, url: address(), events: [...domainEvents.keys()].join(','), ...more }
  expect((await post(t, admin, `${path}/submit`, given)).msg).toBe('操作成功')
  const { id } = await t.db.selectFrom('hook').select('id').where('name', '=', given.name).executeTakeFirstOrThrow()
  const issued = await post<{ secret: string }>(t, admin, `${path}/issue?id=${id}`, {})
  expect(issued.code).toBe(200)
  expect((await post(t, admin, `${path}/enable?id=${id}`, {})).code).toBe(200)
  return { id, secret: issued.data.secret }
}

/** An exam with a reviewer and a sign-up that has been handed in, told to the hooks. */
async function scene() {
  await at(t, times.inside)
  const { exam } = await makeExam(t)
  const first = await reviewer(t, exam.id, 2)
  const who = await applicant(t)
  const { id } = (await submit(t, who, exam.id)).data
  return { exam, first, who, id: String(id) }
}

const later = (seconds: number) => new Date(shanghai(times.inside).getTime() + seconds * 1000)
const deliveries = (hookId: string) =>
  t.db.selectFrom('hookdelivery').selectAll().where('hookId', '=', hookId).orderBy('id').execute()
const hookRow = (id: string) => t.db.selectFrom('hook').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const typesOf = (calls: readonly Call[]) => calls.map(({ body }) => (JSON.parse(body) as { type: string }).type)

/** Checks a call as the library of the receiver does. */
const verified = (secret: string, { headers, body }: Call) => new Webhook(secret).verify(body, headers)

/** Runs with the clock of the receiver's library at the server's time. */
async function atServerTime<T>(work: () => T): Promise<T> {
  const { now } = Date
  Date.now = () => t.app.now().getTime()
  try {
    return work()
  } finally {
    Date.now = now
  }
}

describe('an event reaches another system', () => {
  test('signed, thin, and once for each hook that has chosen it', async () => {
    const all = await makeHook()
    const some = await makeHook({ events: 'signup.returned', url: address('/some') })
    const { exam, id } = await scene()
    await tellDue(t.app)
    expect(await deliverDue(t.app)).toBeGreaterThan(0)
    const [call] = receiver.calls.filter(one => JSON.parse(one.body).type === 'signup.submitted')
    expect(receiver.calls.filter(one => one.url === '/some')).toEqual([])
    expect(JSON.parse(call?.body ?? '')).toEqual({
      type: 'signup.submitted',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tenant: '000000',
      exam: exam.id,
      data: { resource: 'signup', id, fields: {} },
    })
    await atServerTime(() => {
      expect(verified(all.secret, call as Call)).toMatchObject({ type: 'signup.submitted' })
      expect(() => verified(all.secret, { ...(call as Call), body: `${call?.body} ` })).toThrow()
      expect(() => verified(some.secret, call as Call)).toThrow()
    })
    const rows = await deliveries(all.id)
    expect(rows.every(row => row.deliveryStatus === delivered && row.httpStatus === 200 && row.answer === 'ok')).toBe(
      true,
    )
    expect(await deliverDue(t.app)).toBe(0)
  })

  test('that says no five times and then yes: the same id each time, later events of the row wait for it', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted,signup.returned' })
    const { first, id } = await scene()
    await tellDue(t.app)
    expect(
      (await post(t, first, `${review}/examine`, { signUpId: id, examineResult: 3, examineResultRemark: '补证书' }))
        .code,
    ).toBe(200)
    await at(t, later(16))
    await tellDue(t.app)
    let noes = 0
    answer = () => ({ status: noes++ < 5 ? 500 : 200 })
    const gaps: number[] = []
    for (let n = 0; n < 6; n++) {
      await deliverDue(t.app)
      const [one] = await deliveries(hookId)
      if (one?.deliveryStatus !== waiting) break
      expect(await deliverDue(t.app)).toBe(0)
      gaps.push((one.goAt.getTime() - t.app.now().getTime()) / 1000)
      await at(t, new Date(one.goAt.getTime() + 1))
    }
    expect(typesOf(receiver.calls)).toEqual([...Array(6).fill('signup.submitted'), 'signup.returned'])
    expect(new Set(receiver.calls.slice(0, 6).map(call => call.headers['webhook-id'])).size).toBe(1)
    expect(gaps.map((gap, n) => gap / [5, 300, 1800, 7200, 18_000][n]!).every(part => part > 0.79 && part < 1.21)).toBe(
      true,
    )
    expect((await deliveries(hookId)).map(row => [row.deliveryStatus, row.tries])).toEqual([
      [delivered, 6],
      [delivered, 1],
    ])
    expect((await hookRow(hookId)).failSince).toBeNull()
  })

  test('though its process ended half-way: once more, under the same id, when the lease is over', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    await scene()
    await tellDue(t.app)
    const [lost] = await claim(t.app, 16)
    expect(lost).toBeDefined()
    expect(await deliverDue(t.app)).toBe(0)
    await t.db
      .updateTable('hookdelivery')
      .set({ leaseUntil: new Date(0) })
      .where('hookId', '=', hookId)
      .execute()
    expect(await deliverDue(t.app)).toBe(1)
    expect(receiver.calls.map(call => call.headers['webhook-id'])).toEqual([lost?.delivery.messageId])
    expect(await deliveries(hookId)).toMatchObject([{ deliveryStatus: delivered, tries: 2 }])
  })

  test('once, however many processes send; no more than four at once of one hook', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    await at(t, times.inside)
    const { exam } = await makeExam(t)
    for (let n = 0; n < 12; n++) await submit(t, await applicant(t), exam.id)
    await Promise.all([tellDue(t.app), tellDue(t.app)])
    answer = () => ({ status: 200, wait: 50 })
    const sent = await Promise.all([deliverDue(t.app), deliverDue(t.app), deliverDue(t.app)])
    expect(sent.reduce((sum, n) => sum + n, 0)).toBe(12)
    expect(receiver.calls).toHaveLength(12)
    expect(new Set(receiver.calls.map(call => call.headers['webhook-id'])).size).toBe(12)
    expect(receiver.most).toBeLessThanOrEqual(4)
    expect(receiver.most).toBeGreaterThan(1)
    expect((await deliveries(hookId)).every(row => row.deliveryStatus === delivered)).toBe(true)
  })

  test('one after the other where all go in order, and side by side with a receiver that is slow', async () => {
    const strict = await makeHook({
      events: 'signup.submitted',
      deliveryOrder: HookOrder.strict,
      url: address('/strict'),
    })
    await makeHook({ events: 'signup.submitted', url: address('/slow') })
    const { exam } = await scene()
    for (let n = 0; n < 3; n++) await submit(t, await applicant(t), exam.id)
    await tellDue(t.app)
    answer = ({ url }) => ({ status: 200, wait: url === '/slow' ? 400 : 0 })
    await deliverDue(t.app)
    const ofStrict = receiver.calls.filter(call => call.url === '/strict').map(call => call.headers['webhook-id'])
    expect(ofStrict).toEqual((await deliveries(strict.id)).map(row => row.messageId))
    expect(ofStrict).toHaveLength(4)
  })

  test('of its exam alone, where it is for one', async () => {
    const { exam } = await scene()
    await tellDue(t.app)
    const { id: hookId } = await makeHook({ events: 'signup.submitted', examId: exam.id })
    await scene()
    await tellDue(t.app)
    expect(await deliveries(hookId)).toEqual([])
    await submit(t, await applicant(t), exam.id)
    await tellDue(t.app)
    expect(await deliveries(hookId)).toMatchObject([{ examId: exam.id }])
  })
})

describe('a receiver that does not take it', () => {
  test('is left alone for as long as it asks, at most an hour', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    await scene()
    await tellDue(t.app)
    answer = () => ({ status: 429, headers: { 'retry-after': '120' } })
    await deliverDue(t.app)
    const wait = async () => ((await deliveries(hookId))[0]?.goAt.getTime() ?? 0) - t.app.now().getTime()
    expect(await wait()).toBe(120_000)
    await at(t, later(121))
    answer = () => ({ status: 503, headers: { 'retry-after': '86400' } })
    await deliverDue(t.app)
    expect(await wait()).toBe(3_600_000)
  })

  test('is switched off when it says 410, and administrators are told', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    await scene()
    await tellDue(t.app)
    answer = () => ({ status: 410 })
    await deliverDue(t.app)
    expect(await hookRow(hookId)).toMatchObject({
      hookStatus: HookStatus.switchedOff,
      offReason: expect.stringContaining('410'),
    })
    await tellDue(t.app)
    const inbox = await get<{ records: { title: string }[] }>(t, admin, '/api/blade-desk/inbox/page')
    expect(inbox.data.records[0]?.title).toMatch(/推送“hook \d+”连续失败，已停用/)
    expect((await post(t, admin, `${path}/enable?id=${hookId}`, {})).code).toBe(200)
    expect(await hookRow(hookId)).toMatchObject({ hookStatus: HookStatus.enabled, offReason: null, failSince: null })
  })

  test('is given up after the last wait, and switched off when nothing got through for five days', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    const { exam } = await scene()
    await tellDue(t.app)
    answer = () => ({ status: 500 })
    for (let n = 0; n < 8; n++) {
      await deliverDue(t.app)
      const [one] = await deliveries(hookId)
      await at(t, new Date((one?.goAt.getTime() ?? 0) + 1))
    }
    expect(await deliveries(hookId)).toMatchObject([{ deliveryStatus: givenUp, tries: 8 }])
    expect((await hookRow(hookId)).hookStatus).toBe(HookStatus.enabled)
    const { failSince } = await hookRow(hookId)
    await t.db
      .updateTable('hook')
      .set({ failSince: new Date(t.app.now().getTime() - 5 * 86_400_000) })
      .where('id', '=', hookId)
      .execute()
    expect(failSince).not.toBeNull()
    await at(t, times.inside)
    await submit(t, await applicant(t), exam.id)
    await tellDue(t.app)
    await t.db
      .updateTable('hook')
      .set({ failSince: new Date(t.app.now().getTime() - 5 * 86_400_000) })
      .execute()
    await deliverDue(t.app)
    expect((await hookRow(hookId)).hookStatus).toBe(HookStatus.switchedOff)
  })
})

describe('addresses that this server may not ask', () => {
  test.each([
    ['http://example.org/', 'https'],
    ['https://user:pass@example.org/', '用户名'],
    ['https://127.0.0.1/', 'hook.hosts'],
    ['https://169.254.169.254/latest', 'hook.hosts'],
    ['https://[::1]/', 'hook.hosts'],
    ['https://localhost/', 'hook.hosts'],
    ['ftp://example.org/', 'https'],
  ])('%s is refused when it is entered', async (url, words) => {
    const { code, msg } = await post(t, admin, `${path}/submit`, {
      name: `x ${++made}`,
      url,
      events: 'signup.submitted',
    })
    expect([code, msg]).toEqual([29005, expect.stringContaining(words)])
  })

  test('a name that leads inside by now, an address that stands there from before, and a redirect are refused when they are asked', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    for (const [url, words] of [
      ['https://localhost:1/', 'private'],
      ['https://127.0.0.1:1/', 'private'],
      ['https://169.254.169.254/', 'private'],
    ] as const) {
      await t.db.updateTable('hook').set({ url }).where('id', '=', hookId).execute()
      const { data } = await post<{ httpStatus: unknown; answer: string }>(t, admin, `${path}/test?id=${hookId}`, {})
      expect(data).toMatchObject({ httpStatus: '', answer: expect.stringContaining(words) })
    }
    expect(receiver.calls).toEqual([])
    await t.db.updateTable('hook').set({ url: address() }).where('id', '=', hookId).execute()
    answer = () => ({ status: 302, headers: { location: address('/inside') } })
    const { data } = await post<{ httpStatus: number }>(t, admin, `${path}/test?id=${hookId}`, {})
    expect(data.httpStatus).toBe(302)
    expect(receiver.calls.map(call => call.url)).toEqual(['/'])
  })
})

describe('secrets and replays', () => {
  test('what waits while the secret is changed is signed by both for a day, then by the new one alone', async () => {
    const { id: hookId, secret } = await makeHook({ events: 'signup.submitted', algorithm: HookAlgorithm.sm3 })
    const { exam } = await scene()
    await tellDue(t.app)
    const { data } = await post<{ secret: string }>(t, admin, `${path}/rotate?id=${hookId}`, {})
    expect(data.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const { secret: stored } = await hookRow(hookId)
    expect(stored).not.toContain(data.secret)
    await deliverDue(t.app)
    const [call] = receiver.calls as [Call]
    await atServerTime(() => {
      expect(verified(secret, call)).toBeDefined()
      expect(verified(data.secret, call)).toBeDefined()
    })
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = call.headers
    const sm3 = createHmac('sm3', Buffer.from(data.secret.slice(6), 'base64')).update(`${id}.${time}.${call.body}`)
    expect(signatures.split(' ')[0]).toBe(`v1sm3,${sm3.digest('base64')}`)
    expect(signatures.split(' ')).toHaveLength(4)
    await at(t, later(86_401))
    await t.db.updateTable('hookdelivery').set({ deliveryStatus: waiting }).where('hookId', '=', hookId).execute()
    await deliverDue(t.app)
    await atServerTime(() => {
      expect(() => verified(secret, receiver.calls[1] as Call)).toThrow()
      expect(verified(data.secret, receiver.calls[1] as Call)).toBeDefined()
    })
    expect(exam.id).toBeDefined()
  })

  test('is shown to nobody and stands in no answer', async () => {
    const { id: hookId, secret } = await makeHook()
    const answers = await Promise.all([
      get(t, admin, `${path}/detail?id=${hookId}`),
      get(t, admin, `${path}/page`),
      get(t, admin, `${log}/page`),
    ])
    expect(JSON.stringify(answers)).not.toContain(secret.slice(6))
    expect(JSON.stringify(answers)).not.toMatch(/formerSecret|"secret"/)
    expect((await post(t, admin, `${path}/issue?id=${hookId}`, {})).code).not.toBe(200)
  })

  test('a hundred are replayed under their ids, and say that they are', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    await scene()
    await tellDue(t.app)
    await deliverDue(t.app)
    const [one] = await deliveries(hookId)
    const { id: _id, eventId: _event, ...rest } = one as NonNullable<typeof one>
    await t.db
      .insertInto('hookdelivery')
      .values(
        Array.from({ length: 99 }, (_, n) => ({
          ...rest,
          eventId: String(1000 + n),
          messageId: `evt_${1000 + n}`,
          subjectId: String(n % 7),
          deliveryStatus: n % 2 ? givenUp : delivered,
        })) as never,
      )
      .execute()
    receiver.calls.length = 0
    const ids = (await deliveries(hookId)).map(row => row.id)
    const failed = await post<{ num: number }>(t, admin, `${log}/replayFailed`, {})
    expect(failed.data.num).toBe(49)
    expect((await post(t, admin, `${log}/replay?ids=${ids.join(',')}`, {})).code).toBe(200)
    expect(await deliverDue(t.app)).toBe(100)
    expect(receiver.calls.every(call => call.headers['webhook-replay'] === '1')).toBe(true)
    expect(receiver.calls.map(call => call.headers['webhook-id']).toSorted()).toEqual(
      (await deliveries(hookId)).map(row => row.messageId).toSorted(),
    )
    expect((await deliveries(hookId)).every(row => row.deliveryStatus === delivered)).toBe(true)
    expect((await deliveries(hookId)).filter(row => row.deliveryStatus === sending)).toEqual([])
  })

  test('a test message is signed like an event and stands in no log', async () => {
    const { id: hookId, secret } = await makeHook()
    const { data } = await post(t, admin, `${path}/test?id=${hookId}`, {})
    expect(data).toEqual({ httpStatus: 200, ms: expect.any(Number), answer: 'ok' })
    await atServerTime(() => expect(verified(secret, receiver.calls[0] as Call)).toMatchObject({ type: 'hook.test' }))
    expect(await deliveries(hookId)).toEqual([])
  })
})

describe('who may', () => {
  test('set hooks up: administrators, of their own tenant', async () => {
    const { id: hookId } = await makeHook()
    const reader = await applicant(t)
    for (const call of ['enable', 'disable', 'rotate', 'test'])
      expect((await post(t, reader, `${path}/${call}?id=${hookId}`, {})).code, call).not.toBe(200)
    expect((await get(t, reader, `${path}/page`)).code).not.toBe(200)
  })

  test('a change of the address or the secret stands in the audit log', async () => {
    const { id: hookId } = await makeHook()
    await post(t, admin, `${path}/rotate?id=${hookId}`, {})
    const rows = await t.db.selectFrom('auditlog').selectAll().orderBy('seq', 'desc').limit(20).execute()
    const text = JSON.stringify(rows)
    for (const call of ['submit', 'issue', 'enable', 'rotate']) expect(text).toContain(`hook/${call}`)
  })

  test('what is old leaves the log', async () => {
    const { id: hookId } = await makeHook({ events: 'signup.submitted' })
    await scene()
    await tellDue(t.app)
    await deliverDue(t.app)
    await at(t, later(89 * 86_400))
    await tidyDeliveries(t.app)
    expect(await deliveries(hookId)).toHaveLength(1)
    await at(t, later(91 * 86_400))
    await tidyDeliveries(t.app)
    expect(await deliveries(hookId)).toEqual([])
  })
})

/** Kinds of texts that people write. */
const isText = (field: Field | undefined) =>
  field === undefined || ['text', 'longText', 'richText'].includes(field.kind)

/** Who has signed up, in clear. */
async function personOf(signupId: string) {
  const row = await t.db
    .selectFrom('signup')
    .select(['name', 'idCard', 'phone'])
    .where('id', '=', signupId)
    .executeTakeFirstOrThrow()
  const open = (text: string | null) => (text ? t.app.vault.open(text) : '')
  return { name: row.name, idCard: open(row.idCard), phone: open(row.phone) }
}

describe('what other systems are told', () => {
  test('holds no name, no number and no opinion, whatever becomes of a sign-up', async () => {
    const { id: hookId } = await makeHook()
    const { exam, first, id: returned } = await scene()
    const refused = String((await submit(t, await applicant(t), exam.id)).data.id)
    const people = await Promise.all([returned, refused].map(personOf))
    const decide = async (signUpId: string, examineResult: number, examineResultRemark: string) =>
      expect((await post(t, first, `${review}/examine`, { signUpId, examineResult, examineResultRemark })).code).toBe(
        200,
      )
    await decide(returned, 3, `请致电 ${people[0]?.phone}`)
    await decide(refused, 2, `证件 ${people[1]?.idCard} 不符`)
    await at(t, later(20))
    await tellDue(t.app)
    await deliverDue(t.app)
    const expected = ['signup.submitted', 'signup.returned', 'signup.refused']
    expect(typesOf(receiver.calls)).toEqual(expect.arrayContaining(expected))
    const sent = JSON.stringify([receiver.calls, await deliveries(hookId)])
    for (const { name, phone, idCard } of people) {
      expect(idCard).toMatch(/^\d{17}[\dX]$/)
      for (const secret of [phone, idCard, name].filter(Boolean)) expect(sent).not.toContain(secret)
    }
    for (const opinion of ['请致电', '不符']) expect(sent).not.toContain(opinion)
  })

  test('of every event there is, are facts that are no texts', () => {
    const mark = 'Li Si 13800138000'
    for (const event of domainEvents.values()) {
      const properties = event.entity.properties as Readonly<Record<string, Field>>
      const names = [...event.fields, ...Object.keys(event.data)]
      const facts = Object.fromEntries(
        names
          .filter(name => !event.phrases?.[name])
          .map(name => [name, isText(event.data[name] ?? properties[name]) ? mark : 1]),
      )
      const told = { code: event.name, tenantId: '000000', examId: null, subjectId: '1', facts, createTime: new Date() }
      const body = bodyOf(told)
      expect(body, event.name).not.toContain(mark)
      expect(Buffer.byteLength(body)).toBeLessThan(20_000)
    }
  })
})
