import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AccountStatus } from '#schemas/dictionaries'
import { Signup } from '#schemas/sign-up/signup'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  askToken,
  bearer,
  encrypt,
  login,
  loginAs,
  makeUser,
  password,
  type Session,
} from '../../../../tests/helper/login.ts'
import { insert, sampleIdCard } from '../../../../tests/helper/sample.ts'
import { tokenHash } from '../../auth/rules/session.ts'
import { roleIds } from '../../tenants/server/seed/roles.ts'

let t: TestApp
let root: Session
let admin: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator')
  admin = await loginAs(t, 'admin')
})
afterAll(() => t.close())

const call = <T = Record<string, unknown>>(
  method: 'GET' | 'POST',
  url: string,
  { headers }: Pick<Session, 'headers'>,
  payload?: object,
) => t.call<T>({ method, url: `/api${url}`, headers, ...(payload && { payload }) })
const user = '/blade-system/user'
const info = '/blade-userupdateinfo/userupdateinfo'
const rowOf = (account: string) =>
  t.db.selectFrom('user').selectAll().where('account', '=', account).executeTakeFirstOrThrow()

/** A multipart form with texts and pictures, as a call. */
async function sendForm(
  url: string,
  who: Session,
  texts: Record<string, string>,
  pictures: Record<string, Buffer> = {},
) {
  const data = new FormData()
  for (const [name, value] of Object.entries(texts)) data.append(name, value)
  for (const [name, bytes] of Object.entries(pictures))
    data.append(name, new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `${name}.jpg`)
  const body = new Response(data)
  return t.call<Record<string, string>>({
    method: 'POST',
    url: `/api${url}`,
    payload: Buffer.from(await body.arrayBuffer()),
    headers: { ...who.headers, 'content-type': body.headers.get('content-type')! },
  })
}

async function picture(): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp({ create: { width: 300, height: 420, channels: 3, background: '#88aacc' } })
    .jpeg()
    .toBuffer()
}

describe('the platform of a person', () => {
  test('is shown and changed with what is noted about the person; the proof of consent stays', async () => {
    const id = await makeUser(t, { role: 'candidate', account: 'moved' })
    await t.db
      .updateTable('user')
      .set({ userExt: JSON.stringify({ consentVersion: '1', wechat: 'a' }) })
      .where('id', '=', id)
      .execute()
    const change = { userId: id, userType: 3, userExt: { wechat: 'b', consentVersion: '9' } }
    const moved = await login(t, 'moved')
    expect((await call('POST', `${user}/update-platform`, admin, change)).code).toBe(200)
    expect((await call('GET', `${user}/info`, moved)).status).toBe(401)
    const { data } = await call('GET', `${user}/platform-detail?id=${id}`, admin)
    expect(data).toMatchObject({ account: 'moved', userType: 3, userExt: { wechat: 'b', consentVersion: '1' } })
    const text = await call('POST', `${user}/update-platform?userId=${id}&userType=2`, admin, { userExt: '{"a":1}' })
    expect(text.code).toBe(200)
    expect((await rowOf('moved')).userExt).toEqual({ a: 1, consentVersion: '1' })
  })

  test('follows the rules of roles, and is nobody else’s business', async () => {
    const reviewer = await makeUser(t, { role: 'reviewer' })
    const chief = await makeUser(t, { role: 'administrator' })
    const change = (userId: string, more: object, session = admin) =>
      call('POST', `${user}/update-platform`, session, { userId, userType: 1, ...more })
    expect((await change(reviewer, { userType: 2 })).code).toBe(29005)
    expect((await change(reviewer, { userExt: '[1]' })).code).toBe(29005)
    expect((await change(reviewer, { userType: 7 })).code).toBe(29005)
    expect((await change(chief, {})).status).toBe(403)
    expect((await change('999', {})).code).toBe(29001)
    const finance = await loginAs(t, 'finance')
    expect((await change(reviewer, {}, finance)).status).toBe(403)
    expect((await call('GET', `${user}/platform-detail?id=${reviewer}`, finance)).status).toBe(403)
  })
})

describe('a change of one’s own data', () => {
  test('counts at once as far as it is no real name; the rest waits', async () => {
    const me = await loginAs(t, 'candidate', { account: 'asker', realName: '王小明' })
    const texts = { name: '小明', email: 'm@example.org', password, realName: '王晓明', reason: '姓名有误' }
    const bytes = await picture()
    const answer = await sendForm(`${user}/userUpdate`, me, texts, { avatar: bytes, cardFront: bytes })
    expect(answer).toMatchObject({ code: 200, data: { name: '小明', realName: '王小明', email: 'm@example.org' } })
    const row = await rowOf('asker')
    expect(row).toMatchObject({ realName: '王小明', cardFront: null, avatar: expect.stringMatching(/^\d+$/) })
    const waiting = await t.db.selectFrom('userupdateinfo').selectAll().where('userId', '=', row.id).execute()
    expect(waiting).toMatchObject([
      {
        realName: '王晓明',
        reason: '姓名有误',
        updateStatus: 0,
        name: '王小明',
        beforeInfo: { realName: '王小明', cardFront: '' },
        afterInfo: { realName: '王晓明' },
      },
    ])
    expect((await sendForm(`${user}/userUpdate`, me, { realName: '王明' })).code).toBe(29006)
  })

  test.each([
    ['what is so already', { realName: ' 赵七 ' }],
    ['blanks', { realName: ' \u3000', idCard: '' }],
  ])('asks for nothing with %s', async (_, wish) => {
    const me = await loginAs(t, 'candidate', { realName: '赵七' })
    const answer = await call('POST', `${info}/submit`, me, { afterInfo: wish, reason: '无' })
    expect(answer).toMatchObject({ code: 29005, msg: expect.stringContaining('请填写要变更的内容') })
    expect((await sendForm(`${user}/userUpdate`, me, wish)).code).toBe(200)
    const { userId } = await t.db
      .selectFrom('user')
      .select('id as userId')
      .where('account', '=', me.body.account!)
      .executeTakeFirstOrThrow()
    expect(await t.db.selectFrom('userupdateinfo').select('id').where('userId', '=', userId).execute()).toEqual([])
  })

  test('of a name and number is carried out when it is passed, once', async () => {
    const [old, wanted] = [sampleIdCard(700_001), sampleIdCard(700_002)]
    const me = await loginAs(t, 'candidate', { account: 'renamed', realName: '李一', idCard: old })
    const wish = { realName: '李二', idCard: wanted }
    expect((await call('POST', `${info}/submit`, me, { afterInfo: wish, reason: '登记错误' })).code).toBe(200)
    const stored = await t.db
      .selectFrom('userupdateinfo')
      .selectAll()
      .where('realName', '=', '李二')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(wanted)
    expect(JSON.stringify(stored)).not.toContain(old)
    const both = await Promise.all([1, 2].map(() => call('POST', `${info}/pass?ids=${stored.id}`, admin)))
    const done = both.map(one => (one.data as { ok: string[] }).ok.length).sort()
    expect(done).toEqual([1, 1])
    const row = await rowOf('renamed')
    expect(row).toMatchObject({ realName: '李二', birthday: expect.stringContaining(wanted.slice(6, 10)) })
    expect(t.app.vault.open(row.idCard!)).toBe(wanted)
    expect((await askToken(t, wanted)).body.access_token).toBeTruthy()
    expect((await call('POST', `${info}/remove`, me, { ids: stored.id })).code).toBe(29009)
  })

  test('is refused with a reason the person reads, and may be asked again', async () => {
    const me = await loginAs(t, 'candidate')
    await call('POST', `${info}/submit`, me, { realName: '赵六', reason: '改名' })
    const { data } = await call<{ records: { id: string }[] }>('GET', `${info}/page`, me)
    const id = data.records[0]?.id
    expect((await call('POST', `${info}/reject?ids=${id}`, admin)).code).toBe(29005)
    expect((await call('POST', `${info}/reject?ids=${id}&remark=${encodeURIComponent('材料不清')}`, admin)).code).toBe(
      200,
    )
    const detail = await call('GET', `${info}/detail?id=${id}`, me)
    expect(detail.data).toMatchObject({ updateStatus: 2, auditRemark: '材料不清' })
    expect((await call('POST', `${info}/submit`, me, { realName: '赵六', reason: '再次' })).code).toBe(200)
    const again = await call<{ records: { id: string; updateStatus: number }[] }>('GET', `${info}/page`, me)
    const open = again.data.records.find(one => one.updateStatus === 0)
    expect((await call('POST', `${info}/remove?ids=${open?.id}`, me)).code).toBe(200)
  })

  test('says what is wrong with it, takes no files of others and no number of others', async () => {
    const me = await loginAs(t, 'candidate')
    const other = await loginAs(t, 'candidate', { idCard: sampleIdCard(700_010) })
    const ask = (wish: object, who = me) => call('POST', `${info}/submit`, who, { reason: '改', ...wish })
    expect((await ask({})).msg).toContain('请填写要变更的内容')
    expect((await ask({ idCard: '350102199001011230' })).data).toMatchObject([{ field: 'idCard' }])
    expect((await ask({ realName: '<b>' })).data).toMatchObject([{ field: 'realName' }])
    await sendForm(`${user}/userUpdate`, other, {}, { avatar: await picture() })
    const avatar = (await rowOf(other.body.account!)).avatar!
    expect(await ask({ cardFront: avatar })).toMatchObject({ code: 29005, data: [{ field: 'cardFront' }] })
    expect((await ask({ idCard: sampleIdCard(700_010) })).code).toBe(200)
    const { data } = await call<{ records: { id: string }[] }>('GET', `${info}/page`, me)
    expect((await call('POST', `${info}/pass?ids=${data.records[0]?.id}`, admin)).code).toBe(20013)
    expect((await call('GET', `${info}/detail?id=${data.records[0]?.id}`, other)).code).toBe(29001)
    expect((await call('POST', `${info}/pass?ids=${data.records[0]?.id}`, other)).status).toBe(403)
    expect((await call('POST', `${info}/submit`, admin, { realName: '管理', reason: 'x' })).status).toBe(403)
  })

  test('under a sign-up past review needs whoever runs the exams', async () => {
    const me = await loginAs(t, 'candidate', { account: 'reviewed' })
    const { id: userId } = await rowOf('reviewed')
    await insert(t.app, Signup, { userId, signStatus: 1, examine: 1 })
    await call('POST', `${info}/submit`, me, { realName: '钱七', reason: '改名' })
    const { data } = await call<{ records: { id: string }[] }>('GET', `${info}/page`, me)
    const url = `${info}/pass?ids=${data.records[0]?.id}`
    expect(await call('POST', url, admin)).toMatchObject({ code: 22008 })
    expect((await rowOf('reviewed')).realName).not.toBe('钱七')
    const kaowu = await loginAs(t, 'exam_admin')
    expect((await call('POST', url, kaowu)).code).toBe(200)
    expect((await rowOf('reviewed')).realName).toBe('钱七')
  })
})

describe('a guest of a third-party login', () => {
  const waiting = (id: string, more: object = {}) =>
    t.db
      .insertInto('oauth_login')
      .values({
        id,
        tenantId: '000000',
        source: 'wechat',
        uuid: `u-${id}`,
        nickname: '路人',
        userId: null,
        issuer: 'https://wechat.test',
        tokenHash: tokenHash('guest'),
        until: new Date(t.app.now().getTime() + 600_000),
        ...more,
      })
      .execute()
  const register = (form: object) =>
    t.call({
      method: 'POST',
      url: `/api${user}/register-guest`,
      payload: { tenantId: '000000', ...form },
      headers: bearer('guest'),
    })

  test('24 · gets an account that waits for an administrator, for the own login and once, whatever else is sent', async () => {
    await waiting('login-1')
    const form = { name: '路人甲', account: 'luren', password: encrypt(t, 'Abcd1234x'), oauthId: 'login-1' }
    expect((await register({ ...form, oauthId: 'login-x' })).code).toBe(29001)
    expect((await register({ ...form, tenantId: '999999' })).code).toBe(20011)
    const both = await Promise.all([1, 2].map(() => register({ ...form, id: '1', roleId: roleIds.administrator })))
    expect(both.map(one => one.code).sort()).toEqual([200, 29001])
    const row = await rowOf('luren')
    expect(row).toMatchObject({ accountStatus: 3, roleId: '', userType: 2, oauth_id: 'wechat:u-login-1' })
    expect((await askToken(t, 'luren', 'Abcd1234x')).body).toMatchObject({ error_code: 20005 })
    expect((await call('POST', `${user}/audit-pass?userIds=${row.id}`, admin)).code).toBe(200)
    expect((await login(t, 'luren', 'Abcd1234x')).body.role_name).toBe('candidate')
  })

  test('hears the first gap, a taken account, and that the login is too old', async () => {
    await waiting('login-2')
    await waiting('login-3', { until: new Date(t.app.now().getTime() - 1000) })
    const form = { account: 'luren2', password: 'Abcd1234x', oauthId: 'login-2' }
    expect((await register({ ...form, tenantId: '' })).msg).toContain('请先输入租户编号')
    expect((await register({ ...form, account: '' })).msg).toContain('请先输入账号名称')
    expect((await register({ ...form, password: '' })).msg).toContain('请先输入密码')
    expect((await register({ ...form, password: '123' })).code).toBe(20009)
    expect((await register({ ...form, account: root.body.account })).code).toBe(20012)
    expect((await register({ ...form, oauthId: 'login-3' })).code).toBe(29001)
  })
})

test('accounts are removed for good from the lists, but not one’s own', async () => {
  const id = await makeUser(t, { role: 'reviewer', account: 'leaver' })
  const leaver = await login(t, 'leaver')
  expect((await call('POST', `${user}/remove?ids=${id}`, admin)).code).toBe(200)
  expect((await call('GET', `${user}/info`, leaver)).status).toBe(401)
  expect((await call('GET', `${user}/detail?id=${id}`, admin)).code).toBe(29001)
  expect((await call('POST', `${user}/remove?ids=${admin.body.user_id}`, admin)).code).toBe(29008)
})

test('whoever gets to run the system and to audit it gets both, with a warning', async () => {
  const id = await makeUser(t, { role: 'reviewer' })
  const grant = (...roles: string[]) => {
    const ids = roles.map(role => roleIds[role]).join()
    return call<{ msg?: string }>('POST', `${user}/grant?userIds=${id}&roleIds=${ids}`, root)
  }
  expect((await grant('auditor', 'finance')).data).toEqual({})
  expect(await grant('auditor', 'administrator')).toMatchObject({
    code: 200,
    data: { msg: expect.stringContaining('三权分立') },
  })
})

test('roles are added to several people beside those they have, in the rights of whoever adds them', async () => {
  const [one, two] = [await makeUser(t, { role: 'reviewer' }), await makeUser(t, { role: 'finance' })]
  const add = (who: Session, ids: readonly string[], ...roles: string[]) =>
    call<{ msg?: string }>(
      'POST',
      `${user}/add-role?userIds=${ids.join()}&roleIds=${roles.map(role => roleIds[role]).join()}`,
      who,
    )
  const rolesOf = async (id: string) =>
    (await t.db.selectFrom('user').select('roleId').where('id', '=', id).executeTakeFirstOrThrow()).roleId
  const named = (...names: string[]) => names.map(name => roleIds[name]).join()
  expect((await add(admin, [one, two], 'finance')).data).toEqual({})
  expect([await rolesOf(one), await rolesOf(two)]).toEqual([named('reviewer', 'finance'), named('finance')])
  expect((await add(admin, [one], 'administrator')).code).toBe(403)
  expect(
    (await add(await login(t, (await rowOf('admin')).account), [String(admin.body.user_id)], 'finance')).code,
  ).toBe(200)
  await add(root, [one, two], 'auditor')
  expect(await add(root, [one], 'administrator')).toMatchObject({ data: { msg: expect.stringContaining('三权分立') } })
  expect(await rolesOf(one)).toBe(named('reviewer', 'finance', 'auditor', 'administrator'))
  const last = await t.db
    .selectFrom('auditlog')
    .select('event')
    .where('targetType', '=', 'user')
    .orderBy('seq', 'desc')
    .executeTakeFirst()
  expect(last?.event).toBe('grant')
})

test('several accounts are disabled at once and signed out; others are named, one’s own is refused with all', async () => {
  const ids = [
    await makeUser(t, { role: 'reviewer', account: 'off1' }),
    await makeUser(t, { role: 'reviewer', account: 'off2' }),
  ]
  const sessions = [await login(t, 'off1'), await login(t, 'off2')]
  const disable = (who: Session, chosen: readonly string[]) =>
    call('POST', `${user}/disable?userIds=${chosen.join()}`, who)
  expect((await disable(admin, [...ids, String(admin.body.user_id)])).code).toBe(29008)
  expect((await disable(admin, [String(root.body.user_id)])).code).toBe(403)
  for (const one of sessions) expect((await call('GET', `${user}/info`, one)).code).toBe(200)
  const pending = await makeUser(t, { role: 'reviewer', account: 'off3' })
  await t.db.updateTable('user').set({ accountStatus: AccountStatus.pending }).where('id', '=', pending).execute()
  expect(await disable(admin, [...ids, pending])).toMatchObject({
    code: 200,
    data: { ok: ids, skipped: [{ id: pending, reason: '不是启用状态' }] },
  })
  for (const one of sessions) expect((await call('GET', `${user}/info`, one)).status).toBe(401)
})

test('parameters the program asks for keep their names', async () => {
  const { id } = await t.db
    .selectFrom('param')
    .select('id')
    .where('paramKey', '=', 'site.title')
    .executeTakeFirstOrThrow()
  const path = '/blade-system/param'
  expect((await call('POST', `${path}/remove?ids=${id}`, root)).code).toBe(29008)
  expect((await call('POST', `${path}/submit`, root, { id, paramKey: 'site.name' })).code).toBe(29008)
  expect((await call('POST', `${path}/submit`, root, { id, paramKey: 'site.title', paramValue: '聚贤' })).code).toBe(
    200,
  )
  const own = { paramName: '自定', paramKey: 'own.key', paramValue: '1' }
  expect((await call('POST', `${path}/submit`, root, own)).code).toBe(200)
  const made = await t.db.selectFrom('param').select('id').where('paramKey', '=', 'own.key').executeTakeFirstOrThrow()
  expect((await call('POST', `${path}/remove?ids=${made.id}`, root)).code).toBe(200)
})

test('a parameter takes only what its definition allows, and says at the field what is wrong', async () => {
  const { id } = await t.db
    .selectFrom('param')
    .select('id')
    .where('paramKey', '=', 'export.days')
    .executeTakeFirstOrThrow()
  const set = (paramValue: string) => call<unknown>('POST', '/blade-system/param/submit', root, { id, paramValue })
  expect(await set('31')).toMatchObject({ code: 29005, data: [{ field: 'paramValue', msg: '不能大于30' }] })
  expect((await set('14')).code).toBe(200)
})

test('nobody registers with a tenant that is not there or in the recycle bin', async () => {
  await t.pool.query(`INSERT INTO tenant ("tenantId", "tenantName", "tenantStatus") VALUES ('500001', '回收', 2)`)
  const register = (tenantId: string) =>
    t.call({ method: 'POST', url: `/api${user}/register`, payload: { tenantId, username: 'abcd' } })
  expect((await register('500001')).code).toBe(20019)
  expect((await register('599999')).code).toBe(20019)
})
