import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { Payrecord } from '#schemas/payment/payrecord'
import { Signup } from '#schemas/sign-up/signup'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { askToken, encrypt, login, loginAs, makeUser, type Session, solved } from '../../../../tests/helper/login.ts'
import { insert, sampleIdCard, samplePhone } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate, sendOut } from '../../../../tests/helper/send-bench.ts'
import { inbox } from '../../channels/sms/sandbox/outbox.ts'

const at = '/api/blade-system'
let t: TestApp
let admin: Session
let other: Session
let card: Buffer
beforeAll(async () => {
  t = await testApp()
  admin = await loginAs(t, 'admin')
  other = await loginAs(t, 'admin')
  const { default: sharp } = await import('sharp')
  card = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#88aacc' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => t?.close())
beforeEach(() => t.pool.query('TRUNCATE throttle, sms, sms_code, sms_outbox CASCADE'))

const chosen = 'Abcd1234x'
let n = 8000
type Form = Record<string, string>
const form = (more: Form = {}): Form => ({
  username: `claimant${++n}`,
  password: encrypt(t, chosen),
  password2: encrypt(t, chosen),
  realName: '王小明',
  idType: '1',
  phone: samplePhone(n),
  idCard: sampleIdCard(n),
  consentVersion: '1',
  reason: '号码被他人注册',
  ...more,
})

/** Sends a claim with its pictures as a page does. */
async function claim(fields: Form, pictures = ['cardFront', 'cardBack'], headers?: Record<string, string>) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const name of pictures)
    data.append(name, new Blob([new Uint8Array(card)], { type: 'image/jpeg' }), `${name}.jpg`)
  const body = new Response(data)
  return t.call<{ claimId: string }>({
    method: 'POST',
    url: `${at}/user/claim`,
    payload: Buffer.from(await body.arrayBuffer()),
    headers: { 'content-type': body.headers.get('content-type')!, ...(headers ?? (await solved(t))) },
  })
}

/** A number that somebody else has registered, and a claim of it. */
async function claimed() {
  const fields = form()
  const holder = `squatter${n}`
  const holderId = await makeUser(t, { role: 'candidate', account: holder, idCard: fields.idCard!, realName: '李冒名' })
  const { data, code } = await claim(fields)
  expect(code).toBe(200)
  return { fields, holder, holderId, id: data.claimId }
}

const act = (what: 'pass' | 'reject', query: string, who = admin) =>
  t.call({ method: 'POST', url: `${at}/idclaim/${what}?${query}`, headers: who.headers, payload: {} })
const state = (claimId: string, phone: string) =>
  t.call<Record<string, unknown>>({ method: 'POST', url: `${at}/user/claim-state`, payload: { claimId, phone } })
const userOf = (account: string) =>
  t.db.selectFrom('user').selectAll().where('account', '=', account).executeTakeFirstOrThrow()
const rowOf = (id: string) => t.db.selectFrom('idclaim').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a number that is taken is claimed with papers, and passes to its owner', async () => {
  const fields = form()
  const holderId = await makeUser(t, {
    role: 'candidate',
    account: 'squatter',
    idCard: fields.idCard!,
    realName: '李冒名',
  })
  const session = await login(t, 'squatter')
  const draft = await insert(t.app, Signup, { userId: holderId, idCard: fields.idCard!, signStatus: 1, examine: 0 })
  const taken = await t.call({
    method: 'POST',
    url: `${at}/user/register`,
    headers: await solved(t),
    payload: fields,
  })
  expect(taken.code).toBe(20013)
  const made = await claim(fields)
  expect(made).toMatchObject({ code: 200, data: { claimId: expect.any(String) } })
  expect(Object.keys(made.data)).toEqual(['claimId'])
  const id = made.data.claimId
  expect((await rowOf(id)).password).toMatch(/^v\d+:/)
  expect((await state(id, fields.phone!)).data).toMatchObject({ claimStatus: 0 })
  // Whoever decides sees both sides, masked, and the pictures.
  const { data: seen, text } = await detail(id)
  expect(seen).toMatchObject({ realName: '王小明', holderName: '李**', holderSignups: 1, claimStatus: 0 })
  for (const secret of [fields.idCard!, fields.phone!, 'password', '李冒名', 'squatter'])
    expect(text).not.toContain(secret)
  const picture = `/api/blade-resource/attach/download?id=${seen.cardFront}`
  expect((await t.app.inject({ url: picture, headers: admin.headers })).statusCode).toBe(200)
  expect((await t.app.inject({ url: picture, headers: session.headers })).statusCode).not.toBe(200)
  expect((await act('pass', `id=${id}`)).code).toBe(200)
  // The former holder is out and has no number; the sign-up that stood on it is over.
  const holder = await userOf('squatter')
  expect(holder).toMatchObject({ idCard: null, idCardHash: null, idCardMask: null, accountStatus: 2 })
  expect(holder.auditRemark).toContain('认领')
  expect((await t.call({ url: `${at}/user/info`, headers: session.headers })).status).toBe(401)
  const out = await askToken(t, 'squatter')
  expect(out.body.code).toBe(20004)
  expect(JSON.stringify(out.body)).toContain('证件号码已由本人凭证件认领')
  const left = await t.db.selectFrom('signup').select('signStatus').where('id', '=', draft.id).executeTakeFirst()
  expect(left?.signStatus).toBe(2)
  // The owner signs in by the password chosen, and by the number.
  expect((await askToken(t, fields.username!, chosen)).status).toBe(200)
  expect((await askToken(t, fields.idCard!, chosen)).body.account).toBe(fields.username)
  const owner = await userOf(fields.username!)
  expect(await rowOf(id)).toMatchObject({ claimStatus: 1, password: null, holderId, userId: owner.id })
  const file = await t.db.selectFrom('attach').selectAll().where('id', '=', owner.cardFront!).executeTakeFirst()
  expect(file).toMatchObject({ ownerId: owner.id, createUser: owner.id, visible: 3 })
  expect((await state(id, fields.phone!)).data).toMatchObject({ claimStatus: 1, account: fields.username })
  expect((await detail(id)).data).toMatchObject({ holderName: '李**', holderStatus: 2 })
  const audit = await t.db.selectFrom('auditlog').select('event').where('targetId', '=', id).execute()
  expect(audit.map(one => one.event)).toEqual(['account', 'account'])
})

async function detail(id: string) {
  const answer = await t.app.inject({ url: `${at}/idclaim/detail?id=${id}`, headers: admin.headers })
  return { data: answer.json().data as Record<string, unknown>, text: answer.body }
}

test('a claim is rejected with a reason that its claimant reads; it may be made again', async () => {
  const { fields, holder, id } = await claimed()
  expect((await act('reject', `id=${id}`)).code).toBe(29005)
  expect((await act('reject', `id=${id}&remark=${encodeURIComponent('照片看不清')}`)).code).toBe(200)
  expect((await state(id, fields.phone!)).data).toMatchObject({ claimStatus: 2, auditRemark: '照片看不清' })
  expect((await state(id, samplePhone(1))).code).toBe(29001)
  expect(await userOf(holder)).toMatchObject({ accountStatus: 1, idCard: expect.any(String) })
  expect((await rowOf(id)).password).toBeNull()
  expect((await act('pass', `id=${id}`)).code).toBe(29009)
  expect((await claim({ ...fields })).code).toBe(200)
})

test('of two who decide at once one does; the same person may repeat it', async () => {
  const { fields, id } = await claimed()
  const [one, two] = await Promise.all([
    act('pass', `id=${id}`),
    act('reject', `id=${id}&remark=${encodeURIComponent('不符')}`, other),
  ])
  expect([one.code, two.code].sort()).toEqual([200, 29009])
  const again = one.code === 200 ? act('pass', `id=${id}`) : act('reject', `id=${id}&remark=x`, other)
  expect((await again).code).toBe(200)
  const accounts = t.db.selectFrom('user').select('id').where('account', '=', fields.username!).execute()
  expect(await accounts).toHaveLength(one.code === 200 ? 1 : 0)
})

test.each([
  ['has passed review', 1, null],
  ['has been paid', 0, 1],
] as const)('is not passed while a sign-up %s', async (_what, examine, payState) => {
  const { fields, holder, holderId, id } = await claimed()
  const signup = await insert(t.app, Signup, { userId: holderId, idCard: fields.idCard!, signStatus: 1, examine })
  if (payState) await insert(t.app, Payrecord, { signupId: signup.id, payState })
  const refused = await act('pass', `id=${id}`)
  expect(refused).toMatchObject({ code: 20055, status: 409 })
  expect(refused.msg).toContain('取消该报名的资格')
  expect(await userOf(holder)).toMatchObject({ accountStatus: 1 })
  expect((await rowOf(id)).claimStatus).toBe(0)
})

test('nothing is taken by half: an account name that was taken meanwhile leaves all as it was', async () => {
  const { fields, holder, id } = await claimed()
  await makeUser(t, { account: fields.username! })
  expect((await act('pass', `id=${id}`)).code).toBe(20012)
  expect(await userOf(holder)).toMatchObject({ accountStatus: 1, idCard: expect.any(String) })
  expect((await rowOf(id)).claimStatus).toBe(0)
})

test('says what is missing, and nothing about the holder', async () => {
  expect((await claim(form())).code).toBe(20053)
  const idCard = sampleIdCard(++n)
  await makeUser(t, { role: 'candidate', account: 'holdfast', idCard, phone: samplePhone(7999) })
  const field = async (fields: Form, pictures?: string[]) => {
    const { code, data } = await claim(fields, pictures)
    return [code, (data as unknown as { field: string }[])[0]?.field]
  }
  expect(await field(form({ idCard }), [])).toEqual([29005, 'cardFront'])
  expect(await field(form({ idCard }), ['cardFront'])).toEqual([29005, 'cardBack'])
  expect(await field(form({ idCard, reason: ' ' }))).toEqual([29005, 'reason'])
  expect(await field(form({ idCard, consentVersion: '' }))).toEqual([29005, 'consentVersion'])
  expect((await claim(form({ idCard }), undefined, {})).code).toBe(20001)
  expect((await claim(form({ idCard, username: 'holdfast' }))).code).toBe(20012)
  expect((await claim(form({ idCard, phone: samplePhone(7999) }))).code).toBe(20014)
  expect((await claim(form({ idCard, password2: encrypt(t, 'Other1234') }))).code).toBe(20015)
  expect((await claim(form({ idCard }))).code).toBe(200)
  const second = await claim(form({ idCard }))
  expect(second.code).toBe(20054)
  expect(JSON.stringify(second)).not.toContain('holdfast')
})

test('of two claims of one number at once one is taken', async () => {
  const idCard = sampleIdCard(++n)
  await makeUser(t, { role: 'candidate', account: `twin${n}`, idCard })
  const answers = await Promise.all([claim(form({ idCard })), claim(form({ idCard }))])
  expect(answers.map(one => one.code).sort()).toEqual([200, 20054])
})

test('what one number, one phone and one address may claim has an end', async () => {
  const limit = (key: string, paramValue: string) =>
    t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', `limit.claim.${key}`).execute()
  const { fields, id } = await claimed()
  await act('reject', `id=${id}&remark=${encodeURIComponent('不符')}`)
  await limit('number', '1')
  expect((await claim(form({ idCard: fields.idCard! }))).code).toBe(29007)
  await limit('number', '5')
  await limit('phone', '1')
  expect((await claim({ ...fields })).code).toBe(29007)
  await limit('phone', '10')
  await limit('address', '1')
  expect((await claim(form({ idCard: fields.idCard! }))).code).toBe(29007)
  expect((await state(id, fields.phone!)).code).toBe(29007)
  await limit('address', '500')
  expect((await claim({ ...fields })).code).toBe(200)
})

test('where codes are sent a claim proves its phone, beside the calculation', async () => {
  await makeTemplate(t, { smsCode: 'validate', templateContent: '验证码{code}，{minutes}分钟内有效。' })
  const fields = form()
  await makeUser(t, { role: 'candidate', account: `coded${n}`, idCard: fields.idCard! })
  expect((await claim(fields)).code).toBe(20007)
  const { data } = await t.call<{ id: string }>({
    method: 'POST',
    url: '/api/blade-auth/oauth/sms/send-validate',
    headers: await solved(t),
    payload: { phone: fields.phone, purpose: 'register' },
  })
  const [message] = await inbox(t.pool, t.app.vault, fields.phone!)
  const proof = { codeId: data.id, smsCode: /验证码(\d{6})/.exec(message?.content ?? '')?.[1] ?? '' }
  expect((await claim({ ...fields, ...proof }, undefined, {})).code).toBe(20001)
  expect((await claim({ ...fields, ...proof })).code).toBe(200)
  await t.pool.query('TRUNCATE sms CASCADE')
})

test('the claimant is told what was decided by a text message, once it is decided; without a way to send nothing is hindered', async () => {
  const texts = async (phone: string) => {
    await sendOut(t)
    return (await inbox(t.pool, t.app.vault, phone)).map(one => one.content)
  }
  const first = await claimed()
  const silent = await t.call<{ msg: string }>({
    method: 'POST',
    url: `${at}/idclaim/pass?id=${first.id}`,
    headers: admin.headers,
    payload: {},
  })
  expect(silent.data.msg).toContain('申请人须自行查询认领进度')
  expect(await texts(first.fields.phone!)).toEqual([])
  await makeTemplate(t, { smsCode: 'claim', templateContent: '您认领证件号的申请{result}，账号{account}。' })
  // No balance: decided all the same.
  const second = await claimed()
  const reject = (id: string) =>
    t.call<{ msg: string }>({
      method: 'POST',
      url: `${at}/idclaim/reject?id=${id}&remark=${encodeURIComponent('照片看不清')}`,
      headers: admin.headers,
      payload: {},
    })
  expect((await reject(second.id)).data.msg).toContain('须自行查询')
  await give(t, 2)
  const third = await claimed()
  expect((await reject(third.id)).data.msg).toBe('已驳回认领，将以短信告知申请人')
  expect((await reject(third.id)).code).toBe(200)
  expect(await texts(third.fields.phone!)).toEqual([`【聚贤】您认领证件号的申请未通过，账号${third.fields.username}。`])
  const fourth = await claimed()
  expect((await act('pass', `id=${fourth.id}`)).code).toBe(200)
  expect(await texts(fourth.fields.phone!)).toEqual([
    `【聚贤】您认领证件号的申请已通过，账号${fourth.fields.username}。`,
  ])
  // What the template has no value for is said among the sendings; it costs nothing.
  await t.pool.query('UPDATE sms SET "templateContent" = \'证件号的申请{result}：{why}\' WHERE "smsCode" = \'claim\'')
  const lacking = await claimed()
  expect((await reject(lacking.id)).data.msg).toContain('须自行查询')
  expect(await texts(lacking.fields.phone!)).toEqual([])
  const row = await t.db
    .selectFrom('sendmessage as m')
    .innerJoin('send as s', 's.id', 'm.sendId')
    .select(['m.msgStatus', 'm.errMsg', 'm.segments', 's.title', 's.sendStatus'])
    .orderBy('m.id', 'desc')
    .executeTakeFirst()
  expect(row).toEqual({
    msgStatus: MsgStatus.failed,
    errMsg: '模板中的{why}没有内容，未发送',
    segments: 0,
    title: '证件号认领结果',
    sendStatus: SendStatus.partlyFailed,
  })
  await t.pool.query('UPDATE sms SET "templateContent" = \'您的申请{result}\' WHERE "smsCode" = \'claim\'')
  // A decision that is not kept tells nobody.
  await give(t, 1)
  const fifth = await claimed()
  await insert(t.app, Signup, { userId: fifth.holderId, idCard: fifth.fields.idCard!, signStatus: 1, examine: 1 })
  expect((await act('pass', `id=${fifth.id}`)).code).toBe(20055)
  expect(await texts(fifth.fields.phone!)).toEqual([])
  await t.pool.query('TRUNCATE sms CASCADE')
})

test('a claim is met by staff of its tenant with the right alone, and counts on their first page', async () => {
  const { id } = await claimed()
  const todo = await t.call<{ code: string; num: number }[]>({
    url: '/api/blade-desk/home/staff',
    headers: admin.headers,
  })
  expect(JSON.stringify(todo.data)).toContain('待审核的证件号认领')
  await t.pool.query(`SET session_replication_role = replica;
    UPDATE idclaim SET "tenantId" = '100001' WHERE id = ${id}; RESET session_replication_role`)
  expect((await act('pass', `id=${id}`)).code).toBe(29001)
  expect((await t.call({ url: `${at}/idclaim/detail?id=${id}`, headers: admin.headers })).code).not.toBe(200)
  await t.pool.query(`UPDATE idclaim SET "tenantId" = '000000' WHERE id = $1`, [id])
  const examAdmin = await loginAs(t, 'exam_admin')
  expect((await act('pass', `id=${id}`, examAdmin)).status).toBe(403)
  expect((await act('pass', `id=${id}`)).code).toBe(200)
})
