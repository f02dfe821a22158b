import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { resources } from '#resources'
import { RequestKind } from '#schemas/dictionaries'
import { Examsignfiles } from '#schemas/exams/examsignfiles'
import { Send } from '#schemas/messages/send'
import { Sendmessage } from '#schemas/messages/sendmessage'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Attach } from '#schemas/resource/attach'
import { Wechat } from '#schemas/resource/wechat'
import { Examinelog } from '#schemas/sign-up/examinelog'
import { Signup } from '#schemas/sign-up/signup'
import { Event } from '#schemas/system/event'
import { Wechatbinding } from '#schemas/system/wechatbinding'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { encrypt, password } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { unzip } from '../../../../tests/helper/unzip.ts'
import { hashPassword } from '../../../platform/vault/password.ts'
import type { inboxPage } from '../../notifications/contract.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { chained, firstHash, verifyActs } from '../../review/server/log-chain.ts'
import type { erasurePreview, ownConsents, ownKinds, ownLooks } from '../contract.ts'
import { disclosureOf, withheld } from '../rules/disclosure.ts'
import { keptUntil } from '../rules/kept-until.ts'
import { blankedFields } from './erasing.ts'
import { personalEntities, resourceFor } from './kinds.ts'

let t: TestApp
let anna: Caller
let bert: Caller
let office: Caller
let second: Caller
beforeAll(async () => {
  t = await testApp({ now: '2027-03-01 09:00:00' })
  anna = await signIn(t, { role: 'candidate' })
  bert = await signIn(t, { role: 'candidate' })
  office = await signIn(t, { role: 'admin' })
  second = await signIn(t, { role: 'admin' })
})
afterAll(() => t.close())

async function ask<T>(who: Caller, url: string, body?: object) {
  const address = `/api${url}`
  const answer = body
    ? await t.app.inject({ method: 'POST', url: address, headers: who.headers, payload: body })
    : await t.app.inject({ url: address, headers: who.headers })
  return { ...answer.json<{ code: number; msg: string; data: T }>(), status: answer.statusCode }
}

const own = '/blade-system/own-data'
const request = '/blade-system/datarequest'

/** An exam and a sign-up of somebody in it. */
async function signedUp(userId: string, examStatus: 1 | 2 | 3, more: object = {}) {
  const { exam, stage } = await makeDraft(t, {
    exam: {
      examStatus,
      publicityEnd: shanghai('2027-04-15 09:00:00'),
      ...(examStatus === 3 ? { archiveTime: shanghai('2027-02-01 09:00:00') } : {}),
    },
  })
  const signup = await insert(t.app, Signup, { examId: exam.id, userId, signStatus: 1, ...more })
  return { examId: exam.id, itemId: stage.id, signupId: signup.id, examName: exam.examName }
}

test('a day so many months later stays in its month', () => {
  const ends = { archive: shanghai('2027-08-31 09:00:00'), day: null, end: null }
  expect(keptUntil({ from: 'archive', months: 6 }, ends)).toBe('2028-02-29')
  expect(keptUntil({ from: 'archive', months: 24 }, ends)).toBe('2029-08-31')
  expect(keptUntil({ from: 'day', months: 1 }, ends)).toBe('')
})

test('of every kind of rows about persons it is said what they get of it, and no secret or name of staff is', () => {
  const unsaid = personalEntities.filter(entity => {
    const resource = resourceFor(entity)
    return !withheld[entity.name] && !(resource && disclosureOf(resource))
  })
  expect(unsaid.map(({ name }) => name)).toEqual([])
  const strange = resources.flatMap(resource => {
    const entity = personalEntities.find(({ name }) => name === resource.entity.name)
    if (!entity) return []
    return (disclosureOf(resource as never)?.fields ?? []).filter(name => {
      const field = entity.properties[name]
      return !field || field.hidden || field.kind === 'secret' || (field.ref === 'user' && name !== entity.about)
    })
  })
  expect(strange).toEqual([])
  for (const entity of personalEntities)
    expect(blankedFields(entity).filter(name => !entity.properties[name])).toEqual([])
})

describe('what is kept', () => {
  test('is told with its purpose, ground and day, of the own rows alone', async () => {
    await signedUp(anna.userId, 3)
    await signedUp(bert.userId, 3)
    const { data } = await ask<AnswerOf<typeof ownKinds>>(anna, `${own}/kinds`)
    const signups = data.find(one => one.name === 'signup')
    expect(signups).toMatchObject({ count: 1, from: 'archive', months: 24, then: 'blank' })
    expect(signups?.groups).toEqual([expect.objectContaining({ count: 1, until: '2029-02-01' })])
    expect(data.every(one => one.purpose && one.ground)).toBe(true)
    expect((await ask(office, `${own}/kinds`)).status).toBe(403)
  })

  test('by whom a number was looked at is told to its person', async () => {
    const mine = await signedUp(anna.userId, 1)
    const looked = await ask(office, `/blade-signup/signup/reveal?id=${mine.signupId}`, {
      field: 'idCard',
      reason: '核对证件',
    })
    expect(looked.code).toBe(200)
    const { data } = await ask<AnswerOf<typeof ownLooks>>(anna, `${own}/looks`)
    expect(data).toMatchObject({ total: 1, rows: [{ reason: '核对证件', field: 'idCard', name: '' }] })
    expect((await ask<AnswerOf<typeof ownLooks>>(bert, `${own}/looks`)).data.total).toBe(0)
  })
})

/** A copy of what is kept of somebody. @returns the export that it is */
const exported = async (who: Caller) => {
  await t.db
    .updateTable('user')
    .set({ password: await hashPassword(password) })
    .where('id', '=', who.userId)
    .execute()
  const asked = await ask<{ taskId: string }>(who, `${own}/export`, {
    password: encrypt(t, password),
    language: 'zh',
  })
  expect(asked.code).toBe(200)
  await t.app.queue.workOff()
  return asked.data.taskId
}
const download = (who: Caller, id: string) =>
  t.app.inject({ method: 'POST', url: `/api${own}/download`, headers: who.headers, payload: { id } })

describe('a copy', () => {
  test('leaves for whoever knows the password, holds all of the own rows and none of others, and three times', async () => {
    await t.db
      .updateTable('user')
      .set({ password: await hashPassword(password) })
      .where('id', '=', anna.userId)
      .execute()
    expect((await ask(anna, `${own}/export`, { language: 'zh' })).code).not.toBe(200)
    expect((await ask(anna, `${own}/export`, { password: encrypt(t, 'Wrong@2026'), language: 'zh' })).code).not.toBe(
      200,
    )
    const mine = await signedUp(anna.userId, 3, { name: '安娜甲' })
    const others = await signedUp(bert.userId, 3, { name: '伯特乙' })
    const account = await insert(t.app, Wechat, { accountName: '鼓楼卫健招聘' })
    const bindings = []
    for (const { userId } of [anna, bert])
      bindings.push(await insert(t.app, Wechatbinding, { userId, wechatId: account.id, openid: `o${userId}` }))
    const id = await exported(anna)
    const events = await t.db.selectFrom('event').select('code').where('subjectId', '=', id).execute()
    expect(events).toEqual([{ code: 'exporttask.copied' }])
    expect((await download(bert, id)).statusCode).toBe(404)
    const first = await download(anna, id)
    const files = unzip(first.rawPayload)
    const page = files.get('index.html')?.toString() ?? ''
    const data = files.get('data.json')?.toString() ?? ''
    expect(page).toContain('安娜甲')
    expect(page).not.toMatch(/<script/)
    for (const text of [page, data]) expect(text).not.toContain('伯特乙')
    const kinds = (JSON.parse(data) as { kinds: { name: string; rows: { signNo?: string }[] }[] }).kinds
    // The WeChat that is bound leaves in clear, with the account that it follows.
    expect(kinds.find(one => one.name === 'wechatbinding')?.rows).toEqual([
      { wechatId: '鼓楼卫健招聘', openid: `o${anna.userId}`, bindTime: expect.stringMatching(/^\d{4}-/) },
    ])
    for (const text of [page, data]) {
      expect(text).toContain(`o${anna.userId}`)
      expect(text).not.toContain(`o${bert.userId}`)
      for (const { openid } of bindings) expect(text).not.toContain(openid)
    }
    const numbers = await t.db.selectFrom('signup').select(['id', 'signNo']).execute()
    const noOf = (one: string) => numbers.find(row => row.id === one)?.signNo
    const signNos = kinds.find(one => one.name === 'signup')?.rows.map(row => row.signNo) ?? []
    expect(signNos).toContain(noOf(mine.signupId))
    expect(signNos).not.toContain(noOf(others.signupId))
    await download(anna, id)
    await download(anna, id)
    expect((await download(anna, id)).json()).toMatchObject({ code: 30004 })
  })
})

test('a copy has nothing of whoever had the phone before, and opens without a network', async () => {
  const [now, before] = [await signIn(t, { role: 'candidate' }), await signIn(t, { role: 'candidate' })]
  const phone = samplePhone(7341)
  const sealed = (one = phone) => ({ phone: t.app.vault.seal(one), phoneHash: t.app.vault.hash('000000', one) })
  const { signupId: theirs } = await signedUp(before.userId, 3, {
    name: '前机主',
    phone,
    phoneHash: sealed().phoneHash,
  })
  const { signupId: mine } = await signedUp(now.userId, 3, { name: '现机主', phone, phoneHash: sealed().phoneHash })
  const texted = async (userId: string, content: string) => {
    const send = await insert(t.app, Send, { title: content })
    await insert(t.app, Sendmessage, { sendId: send.id, userId, ...sealed(), content })
  }
  await texted(before.userId, '发给前机主的短信')
  await texted(now.userId, '发给现机主的短信')
  await t.db
    .updateTable('user')
    .set(sealed(samplePhone(7342)))
    .where('id', '=', before.userId)
    .execute()
  await t.db.updateTable('user').set(sealed()).where('id', '=', now.userId).execute()
  const files = unzip((await download(now, await exported(now))).rawPayload)
  const data = JSON.parse(files.get('data.json')?.toString() ?? '') as { kinds: { name: string; rows: object[] }[] }
  const counted = await ask<AnswerOf<typeof ownKinds>>(now, `${own}/kinds`)
  const kept = counted.data.filter(one => one.count > 0).map(one => [one.name, one.count])
  expect(data.kinds.filter(one => one.rows.length > 0).map(one => [one.name, one.rows.length])).toEqual(kept)
  const all = [...files.values()].map(String).join('\n')
  const numbers = await t.db.selectFrom('signup').select(['id', 'signNo']).where('id', 'in', [mine, theirs]).execute()
  const noOf = (id: string) => numbers.find(one => one.id === id)?.signNo ?? ''
  for (const text of ['现机主', noOf(mine)]) expect(all).toContain(text)
  for (const text of ['前机主', noOf(theirs), before.userId]) expect(all).not.toContain(text)
  const page = files.get('index.html')?.toString() ?? ''
  const addresses = [...page.matchAll(/(?:href|src|action|data|srcset)\s*=\s*"([^"]*)"/g)].map(([, to = '']) => to)
  for (const to of addresses) expect(files.has(decodeURIComponent(to))).toBe(true)
  expect(page).not.toMatch(/<script|<link|<iframe|https?:|url\(|@import|"\/\//)
})

describe('erasing', () => {
  test('is refused during an exam with the exam and the day, and with money on its way', async () => {
    const running = await signIn(t, { role: 'candidate' })
    await signedUp(running.userId, 1)
    const asked = { requestKind: RequestKind.erase, content: '请删除' }
    expect(await ask(running, `${request}/ask`, asked)).toMatchObject({
      code: 30001,
      msg: expect.stringContaining('2027-04-15'),
    })
    const owed = await signIn(t, { role: 'candidate' })
    const { examId, itemId, signupId } = await signedUp(owed.userId, 3)
    const record = await insert(t.app, Payrecord, { examId, itemId, signupId, userId: owed.userId, payState: 1 })
    const refund = await insert(t.app, Payrefund, { payRecordId: record.id, refundStatus: 0 })
    expect(await ask(owed, `${request}/ask`, asked)).toMatchObject({
      code: 30002,
      msg: expect.stringContaining(String(refund.refundNo)),
    })
    expect((await ask<AnswerOf<typeof erasurePreview>>(owed, `${own}/erasure`)).data.block).toContain('退款')
  })

  test('takes away who it was after the archive, and leaves the money', async () => {
    const gone = await signIn(t, { role: 'candidate' })
    const { examId, itemId, signupId } = await signedUp(gone.userId, 3, { name: '将删除' })
    const record = await insert(t.app, Payrecord, {
      examId,
      itemId,
      signupId,
      userId: gone.userId,
      name: '将删除',
      payState: 1,
      amount: 10000,
    })
    const preview = (await ask<AnswerOf<typeof erasurePreview>>(gone, `${own}/erasure`)).data
    expect(preview.block).toBe('')
    expect(preview.rows.find(one => one.title === '缴费记录')?.then).toBe('stay')
    const { data, code } = await ask<{ id: string; dueDate: string }>(gone, `${request}/ask`, {
      requestKind: RequestKind.erase,
      content: '删除',
    })
    expect(code).toBe(200)
    // Fifteen working days after Monday the first of March.
    expect(data.dueDate).toBe('2027-03-22')
    expect((await ask(gone, `${request}/ask`, { requestKind: RequestKind.erase, content: '再次' })).code).toBe(30005)
    const note = { event: 'void', outcome: 1, targetType: 'signup', targetId: signupId, tenantId: '000000' } as const
    const around = { person: null, ip: '127.0.0.1', headers: {} } as never
    await t.app.audit.note(around, { ...note, detail: { reason: '将删除弄虚作假' } })
    const act = { signupId, stage: 1, result: 1, remark: '合格', userId: office.userId, time: t.app.now() } as const
    const parts = {
      advisementList: [],
      snapshot: { code: 'A01', content: { a: '将删除' }, files: [], photo: null },
      diff: null,
    }
    await insert(t.app, Examinelog, { ...act, ...parts, ...chained(firstHash, { ...act, ...parts }) } as never)
    const facts = { signNo: '7', examineRemark: '将删除的毕业证' }
    await insert(t.app, Event, { code: 'signup.returned', subjectId: signupId, facts } as never)
    expect((await ask(office, `${request}/finish?id=${data.id}`, { reason: '已清除' })).code).toBe(200)
    // The logs and events say nothing of the person any more, and their chains are as they were.
    const [entry] = await t.db.selectFrom('auditlog').selectAll().where('targetId', '=', signupId).execute()
    expect(entry).toMatchObject({ detail: null, salt: null })
    expect(await t.app.audit.verify('000000')).toMatchObject({ broken: null })
    const logged = await t.db.selectFrom('examinelog').selectAll().where('signupId', '=', signupId).executeTakeFirst()
    expect(logged).toMatchObject({ remark: '合格', snapshot: { code: 'A01', content: {} }, salt: null })
    expect(await verifyActs(t.db, '000000', [signupId])).toEqual({ count: 1, broken: null })
    const told = await t.db.selectFrom('event').select('facts').where('subjectId', '=', signupId).execute()
    expect(JSON.stringify(told)).not.toContain('将删除')
    const signup = await t.db.selectFrom('signup').selectAll().where('id', '=', signupId).executeTakeFirstOrThrow()
    expect(signup).toMatchObject({ name: '已清除', idCardHash: null, phone: null, photo: null, content: {}, files: [] })
    expect(t.app.vault.open(signup.idCard)).toBe('已清除')
    const user = await t.db.selectFrom('user').selectAll().where('id', '=', gone.userId).executeTakeFirstOrThrow()
    expect(user).toMatchObject({ realName: '已清除', idCard: null, phoneHash: null, accountStatus: 2 })
    const kept = await t.db.selectFrom('payrecord').selectAll().where('id', '=', record.id).executeTakeFirstOrThrow()
    expect(kept).toMatchObject({ name: '将删除', amount: 10000 })
    expect((await ask(gone, `${own}/kinds`)).status).toBe(401)
  })
})

test('a refusal takes a second person, and may be sent back', async () => {
  const { data } = await ask<{ id: string }>(bert, `${request}/ask`, {
    requestKind: RequestKind.explain,
    content: '请说明',
  })
  expect((await ask(office, `${request}/refuse?id=${data.id}`, { reason: '没有这些数据' })).code).toBe(200)
  expect((await ask(office, `${request}/confirmRefusal?id=${data.id}`, {})).code).not.toBe(200)
  expect((await ask(second, `${request}/sendBack?id=${data.id}`, {})).code).toBe(200)
  expect((await ask(office, `${request}/refuse?id=${data.id}`, { reason: '没有这些数据' })).code).toBe(200)
  expect((await ask(second, `${request}/confirmRefusal?id=${data.id}`, {})).code).toBe(200)
  const row = await t.db.selectFrom('datarequest').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ requestStatus: 4, answer: '没有这些数据', confirmUser: second.userId })
  await tellDue(t.app)
  const { data: inbox } = await ask<AnswerOf<typeof inboxPage>>(bert, '/blade-desk/inbox/page')
  const told = inbox.records.filter(({ title }) => title.includes('解释说明'))
  expect(told.map(({ title, done }) => [title.slice(0, 3), done])).toEqual([
    ['您的“', false],
    ['已收到', true],
  ])
  expect(told[0]?.facts).toEqual([{ label: '答复', value: '没有这些数据' }])
})

test('a consent that is taken back takes along what was given by it', async () => {
  await t.db.updateTable('user').set({ email: 'a@b.cn' }).where('id', '=', anna.userId).execute()
  expect((await ask(anna, `${own}/withdraw-consent`, { kind: 'email' })).code).toBe(200)
  const { email } = await t.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', anna.userId)
    .executeTakeFirstOrThrow()
  expect(email).toBeNull()
  expect((await ask(anna, `${own}/withdraw-consent`, { kind: 'email' })).code).not.toBe(200)
})

test('an optional upload of a sign-up is taken back and goes at once; what the form must have stays', async () => {
  const attach = async () => (await insert(t.app, Attach, { createUser: anna.userId } as never)).id
  const [photo, award, paper] = [await attach(), await attach(), await attach()]
  const slot = (fileCode: string, attachId: string) => ({
    fileCode,
    list: [{ attachId, name: `${fileCode}.jpg`, size: 1, ext: 'jpg' }],
  })
  const files = [slot('photo', photo), slot('award', award), slot('paper', paper)] as never
  const make = async (examStatus: 1 | 3) => {
    const { signupId, examId } = await signedUp(anna.userId, examStatus, { files })
    await t.db.updateTable('examsignfiles').set({ required: 1 }).where('examId', '=', examId).execute()
    const item = { examId, required: 0, showWhen: null } as const
    await insert(t.app, Examsignfiles, { ...item, fileCode: 'award', fileName: '获奖证书' })
    await insert(t.app, Examsignfiles, { ...item, fileCode: 'paper', fileName: '论文' })
    return { signUpId: signupId, examId }
  }
  const { signUpId, examId } = await make(1)
  const archived = await make(3)
  const uploads = async () => {
    const { data } = await ask<AnswerOf<typeof ownConsents>>(anna, `${own}/consents`)
    return data.filter(({ kind }) => kind === 'upload').map(one => [one.signUpId, one.fileCode, one.name])
  }
  expect(await uploads()).toEqual([
    [signUpId, 'award', '获奖证书'],
    [signUpId, 'paper', '论文'],
  ])
  const take = (fileCode: string, who = anna, of = signUpId) =>
    ask(who, `${own}/withdraw-consent`, { kind: 'upload', signUpId: of, fileCode })
  expect((await take('photo')).code).toBe(29009)
  expect((await take('award', bert)).code).toBe(29001)
  expect((await take('award', anna, archived.signUpId)).code).toBe(21011)
  const before = await t.db.selectFrom('signup').selectAll().where('id', '=', signUpId).executeTakeFirstOrThrow()
  expect((await take('award')).code).toBe(200)
  const after = await t.db.selectFrom('signup').selectAll().where('id', '=', signUpId).executeTakeFirstOrThrow()
  expect(after.files.map(one => one.fileCode)).toEqual(['photo', 'paper'])
  expect(after.version).toBe(before.version + 1)
  const { rows } = await t.pool.query<{ id: string; isDeleted: number }>(
    'SELECT id, "isDeleted" FROM attach WHERE id = ANY($1)',
    [[photo, award, paper]],
  )
  expect(new Map(rows.map(row => [row.id, row.isDeleted]))).toEqual(
    new Map([
      [photo, 0],
      [award, 1],
      [paper, 0],
    ]),
  )
  const logs = await t.db.selectFrom('signuplog').selectAll().where('signupId', '=', signUpId).execute()
  expect(logs.map(one => [one.action, one.diff])).toEqual([[11, [{ target: 'file', code: 'award', from: '', to: '' }]]])
  expect((await take('award')).code).toBe(29009)
  expect(await uploads()).toEqual([[signUpId, 'paper', '论文']])
  expect((await take('paper')).code).toBe(200)
  expect(await uploads()).toEqual([])
  expect(examId).not.toBe(archived.examId)
})

test('every consent that can be taken back is offered, and nothing of it is left then', async () => {
  const { id: attach } = await insert(t.app, Attach, { createUser: anna.userId } as never)
  await t.db.updateTable('user').set({ email: 'a@b.cn', avatar: attach }).where('id', '=', anna.userId).execute()
  await t.db.deleteFrom('wechatbinding').where('userId', '=', anna.userId).execute()
  await insert(t.app, Wechatbinding, { userId: anna.userId } as never)
  const offered = async () => {
    const { data } = await ask<AnswerOf<typeof ownConsents>>(anna, `${own}/consents`)
    return data.filter(({ given }) => given !== '').map(({ kind }) => kind)
  }
  expect(await offered()).toEqual(['email', 'avatar', 'wechat'])
  for (const kind of await offered()) expect((await ask(anna, `${own}/withdraw-consent`, { kind })).code).toBe(200)
  expect(await offered()).toEqual([])
})
