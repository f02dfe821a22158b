import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  askToken,
  encrypt,
  login,
  loginAs,
  makeUser,
  password,
  type Session,
  solved,
} from '../../../../tests/helper/login.ts'
import { sampleIdCard, samplePhone } from '../../../../tests/helper/sample.ts'
import { tellDue } from '../../../modules/notifications/server/tell.ts'
import { roleIds } from '../../tenants/server/seed/roles.ts'

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator', { account: 'chief' })
})
afterAll(() => t.close())

const at = '/api/blade-system/user'
const post = <T = Record<string, unknown>>(path: string, payload: object = {}, session: Session = root) =>
  t.call<T>({ method: 'POST', url: `${at}/${path}`, headers: session.headers, payload })
const rowOf = (account: string) =>
  t.db
    .selectFrom('user')
    .selectAll()
    .where('account', '=', account)
    .where('isDeleted', '=', 0)
    .executeTakeFirstOrThrow()
const isIn = async (session: Session) => (await t.call({ url: `${at}/info`, headers: session.headers })).status === 200

describe('oneself', () => {
  test('is shown with phone and ID number masked and without the password', async () => {
    const me = await loginAs(t, 'candidate', { phone: '13912340001', idCard: '110101199003070134' })
    const { data } = await t.call<Record<string, unknown>>({ url: `${at}/info`, headers: me.headers })
    expect(data).toMatchObject({ phone: '139****0001', idCard: '110101********0134', roleName: '考生', email: '' })
    expect(data).not.toHaveProperty('password')
    expect(JSON.stringify(data)).not.toMatch(/argon2|v1:|Hash/)
  })

  test('24 · may change a few things of their own and nothing else', async () => {
    const me = await loginAs(t, 'candidate', { realName: '张三' })
    const before = await rowOf(me.body.account!)
    const wish = {
      name: '小张',
      email: 'z@example.org',
      phone: '13912340002',
      realName: '李四',
      id: '1',
      account: 'admin',
      roleId: roleIds.administrator,
      userType: 1,
      tenantId: '999999',
      accountStatus: 2,
      isDeleted: 1,
      idCard: 'x',
      // The own password proves who asks for another e-mail and phone; it does not become the new one.
      password,
      mustChangePwd: 1,
      deptId: '1',
      code: 'X',
      status: 9,
    }
    expect((await post('update-info', wish, me)).data).toMatchObject({ name: '小张', phone: '139****0002' })
    const after = await rowOf(me.body.account!)
    const fields = Object.keys(before).filter(key => key !== 'updateTime')
    const changed = fields.filter(key => String(before[key as 'id']) !== String(after[key as 'id']))
    expect(changed.sort()).toEqual(['email', 'name', 'phone', 'phoneHash', 'phoneMask', 'updateUser'])
    expect((await post('update-info', { phone: '139****0002' }, me)).code).toBe(200)
    expect((await rowOf(me.body.account!)).phoneHash).toBe(after.phoneHash)
    expect((await post('update-info', { name: ' \u3000', avatar: ' ' }, me)).code).toBe(200)
    expect(await post('update-info', {}, me)).toMatchObject({ data: { name: '小张' } })
    expect((await post('update-info', { phone: '123' }, me)).msg).toContain('手机号码长度不为11位')
    const other = await loginAs(t, 'candidate')
    expect((await post('update-info', { phone: '13912340002', password }, other)).code).toBe(20014)
    expect((await post('update-info', { avatar: '1' }, other)).code).toBe(28009)
  })

  test('chooses a new password, plain or in cipher, and stays logged in alone', async () => {
    const me = await loginAs(t, 'reviewer', { account: 'changer' })
    const elsewhere = await login(t, 'changer')
    const change = (old: string, next: string, again = next) =>
      post('update-password', { oldPassword: old, newPassword: next, newPassword1: again }, me)
    expect((await change('wrong', 'Some-good-one-1')).code).toBe(20010)
    expect((await change(password, 'Some-good-one-1', 'Some-good-one-2')).code).toBe(20015)
    for (const weak of ['short1A!', 'alllowercaseletters', 'Password1234', 'My-changer-pw-1']) {
      expect((await change(password, weak)).code).toBe(20009)
    }
    expect(
      (await change(encrypt(t, password), encrypt(t, 'Some-good-one-1'), encrypt(t, 'Some-good-one-1'))).code,
    ).toBe(200)
    expect([await isIn(me), await isIn(elsewhere)]).toEqual([true, false])
    expect((await askToken(t, 'changer')).body.code).toBe(20002)
    expect((await askToken(t, 'changer', 'Some-good-one-1')).status).toBe(200)
    expect((await change('Some-good-one-1', 'Some-good-one-1')).msg).toContain('最近5次')
    expect((await change('Some-good-one-1', 'Another-good-2')).code).toBe(200)
    expect((await change('Another-good-2', 'Some-good-one-1')).code).toBe(20009)
  })
})

describe('accounts', () => {
  const body = (account: string, more: object = {}) => ({
    account,
    name: account,
    realName: '新人',
    phone: samplePhone(9_000_000),
    userType: 1,
    idType: 1,
    roleId: roleIds.reviewer,
    ...more,
  })

  test('are made with a hashed password to change, a random one without', async () => {
    expect((await post('submit', body('made', { password: 'Secret-place-9' }))).code).toBe(200)
    const made = await login(t, 'made', 'Secret-place-9')
    expect(made.body.detail.mustChangePwd).toBe(1)
    expect((await post('submit', body('silent'))).code).toBe(200)
    expect((await rowOf('silent')).password).toMatch(/^\$argon2id/)
    expect((await post('submit', body('made'))).code).toBe(20012)
    expect((await post('submit', body('weak', { password: '123456' }))).code).toBe(20009)
    expect((await post('submit', body('a b'))).code).toBe(29005)
  })

  test('take sex and birthday from the ID number and no state from the body', async () => {
    const more = {
      idCard: '11010519491231002x',
      sex: 1,
      birthday: '2000-01-01',
      userType: 2,
      roleId: roleIds.candidate,
    }
    const wish = {
      ...more,
      accountStatus: 2,
      failCount: 9,
      isDeleted: 1,
      tenantId: '9',
      lockUntil: '2030-01-01 00:00:00',
    }
    expect((await post('submit', body('born', wish))).code).toBe(200)
    expect(await rowOf('born')).toMatchObject({
      sex: 2,
      birthday: '1949-12-31',
      accountStatus: 1,
      tenantId: '000000',
      lockUntil: null,
    })
    expect((await post('submit', body('twin', more))).code).toBe(20013)
    const console = { ...more, idCard: sampleIdCard(42), roleId: roleIds.reviewer }
    expect((await post('submit', body('wrongrole', console))).code).toBe(29005)
  })

  test('are not raised above whoever makes them', async () => {
    const admin = await loginAs(t, 'admin')
    expect((await post('submit', body('high', { roleId: roleIds.administrator }), admin)).status).toBe(403)
    const id = await makeUser(t, { role: 'reviewer', account: 'low' })
    expect((await post('submit', { id, roleId: roleIds.administrator }, admin)).status).toBe(403)
    expect((await post('submit', { id, realName: '改名' }, admin)).code).toBe(200)
    const { user_id: chief } = root.body
    expect((await post('submit', { id: chief, realName: '改名' }, admin)).status).toBe(403)
    expect((await post(`reset-password?userIds=${chief}`, {}, admin)).status).toBe(403)
    expect((await post(`changeStatus?id=${chief}&status=2`, {}, admin)).status).toBe(403)
    expect((await post(`remove?ids=${chief}`, {}, admin)).status).toBe(403)
    const reviewer = await loginAs(t, 'reviewer')
    expect((await post(`reset-password?userIds=${id}`, {}, reviewer)).status).toBe(403)
  })

  test('are reset to a one-time password, which ends their sessions', async () => {
    const session = await loginAs(t, 'finance', { account: 'forgot' })
    const { data } = await post<{ account: string; password: string }[]>(
      `reset-password?userIds=${session.body.user_id}`,
    )
    expect(data).toMatchObject([{ account: 'forgot' }])
    expect(await isIn(session)).toBe(false)
    const fresh = await login(t, 'forgot', data[0]!.password)
    expect((await t.call({ url: '/api/blade-auth/oauth/clear-cache', headers: fresh.headers })).code).toBe(20016)
    const next = { oldPassword: data[0]!.password, newPassword: 'Quite-a-new-1', newPassword1: 'Quite-a-new-1' }
    expect((await post('update-password', next, fresh)).code).toBe(200)
    expect((await t.call({ url: '/api/blade-auth/oauth/clear-cache', headers: fresh.headers })).code).toBe(200)
  })

  test('are unlocked, switched off and on', async () => {
    const session = await loginAs(t, 'finance', { account: 'switched' })
    const id = session.body.user_id!
    for (let i = 0; i < 5; i++) await askToken(t, 'switched', 'wrong')
    expect((await askToken(t, 'switched')).body.code).toBe(20003)
    const idle = await makeUser(t)
    expect((await post(`unlock?userIds=${id},${idle}`)).data).toEqual({
      ok: [id],
      skipped: [{ id: idle, reason: '账号未锁定' }],
    })
    expect((await askToken(t, 'switched')).status).toBe(200)
    expect((await post(`changeStatus?id=${id}&status=2`)).code).toBe(200)
    expect(await isIn(session)).toBe(false)
    expect((await post(`changeStatus?id=${id}&status=2`)).code).toBe(200)
    expect((await askToken(t, 'switched')).body.code).toBe(20004)
    expect((await post(`changeStatus?id=${id}&status=1`)).code).toBe(200)
    expect(await isIn(session)).toBe(false)
    expect((await askToken(t, 'switched')).status).toBe(200)
  })

  test('always leave one administrator', async () => {
    const { admin, chief } = { admin: await rowOf('admin'), chief: root.body.user_id! }
    expect((await post(`remove?ids=${chief}`)).code).toBe(29008)
    expect((await post(`changeStatus?id=${chief}&status=2`)).code).toBe(29008)
    expect((await post(`changeStatus?id=${admin.id}&status=2`)).code).toBe(200)
    expect((await post(`grant?userIds=${chief}&roleIds=${roleIds.admin}`)).code).toBe(29008)
    expect((await post('submit', { id: chief, roleId: roleIds.admin })).code).toBe(29008)
    expect((await post(`remove?ids=${admin.id}`)).code).toBe(200)
  })
})

describe('registration', () => {
  /** An ID number of a man whose check character is X. */
  const endingInX = Array.from({ length: 200 }, (_, i) => sampleIdCard(600_000 + i)).find(
    one => one.endsWith('X') && Number(one[16]) % 2 === 1,
  )!
  let n = 100
  const form = (more: Record<string, string> = {}) => {
    n++
    return {
      username: `applicant${n}`,
      password: encrypt(t, 'Abcd1234x'),
      password2: encrypt(t, 'Abcd1234x'),
      realName: '陈·阿明',
      phone: samplePhone(n),
      idType: '1',
      idCard: sampleIdCard(n),
      consentVersion: '1',
      ...more,
    }
  }
  const register = async (payload: Record<string, string>) =>
    t.call<{ userId: string; accountStatus: number }>({
      method: 'POST',
      url: `${at}/register`,
      headers: await solved(t),
      payload,
    })

  test('24 · makes a candidate, whatever else is sent', async () => {
    const wish = {
      userType: '1',
      roleId: roleIds.administrator!,
      tenantId: '000000',
      accountStatus: '1',
      id: '1',
      code: 'X',
    }
    const fields = form({ ...wish, idCard: endingInX.toLowerCase() })
    const { data, code } = await register(fields)
    expect({ code, status: data.accountStatus }).toEqual({ code: 200, status: 1 })
    const row = await rowOf(fields.username!)
    expect(row).toMatchObject({
      id: data.userId,
      userType: 2,
      roleId: roleIds.candidate,
      sex: 1,
      birthday: `${endingInX.slice(6, 10)}-${endingInX.slice(10, 12)}-${endingInX.slice(12, 14)}`,
      code: null,
      mustChangePwd: 0,
      userExt: { consentVersion: '1' },
    })
    expect(t.app.vault.open(row.idCard!)).toBe(endingInX)
    expect((await askToken(t, fields.phone!, 'Abcd1234x')).body.userType).toBe(2)
  })

  test('signs in who has registered and waits for nobody, for clients that take tokens', async () => {
    const enter = async (fields: Record<string, string>, client: string) =>
      t.call<{ userId: string; session?: { access_token: string; user_id: string; userType: number } }>({
        method: 'POST',
        url: `${at}/register`,
        payload: fields,
        headers: { authorization: `Basic ${Buffer.from(client).toString('base64')}`, ...(await solved(t)) },
      })
    const { data } = await enter(form(), 'juxian-web:')
    expect(data.session).toMatchObject({ user_id: data.userId, userType: 2 })
    const me = await t.call<{ user_id: string }>({
      method: 'GET',
      url: '/api/blade-auth/oauth/user-info',
      headers: { 'blade-auth': `bearer ${data.session?.access_token}` },
    })
    expect(me.data.user_id).toBe(data.userId)
    const noted = await t.db
      .selectFrom('auditlog')
      .select('outcome')
      .where('event', '=', 'login')
      .where('userId', '=', data.userId)
      .execute()
    expect(noted).toEqual([{ outcome: 1 }])
    expect((await enter(form(), 'nobody:x')).data).toEqual({ userId: expect.any(String), accountStatus: 1 })
    const audit = (paramValue: string) =>
      t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'register.audit').execute()
    await audit('1')
    expect((await enter(form(), 'juxian-web:')).data).toEqual({ userId: expect.any(String), accountStatus: 3 })
    await audit('0')
  })

  test('says what is wrong in the words of each field', async () => {
    const cases: [Record<string, string>, number, string][] = [
      [{ idCard: '' }, 29005, '证件号码不能为空'],
      [{ idCard: '1101051949' }, 29005, '证件号码长度不为18位'],
      [{ idCard: '11010519491231002A' }, 29005, '证件号码格式错误'],
      [{ idCard: '99010519491231002X' }, 29005, '地址编码错误'],
      [{ idCard: '110105194912310021' }, 29005, '证件号码校验位错误'],
      [{ phone: '12345678901' }, 29005, '手机号码格式错误'],
      [{ realName: '' }, 29005, '请输入真实姓名'],
      [{ username: '13800000000' }, 29005, '账号不能使用他人的手机号码或证件号码'],
      [{ consentVersion: '' }, 29005, '请先阅读并同意'],
      [{ password: 'Abcd1234x' }, 20017, '密码密文无效'],
      [{ password2: encrypt(t, 'Abcd1234y') }, 20015, '两次密码输入不一致'],
      [{ password: encrypt(t, 'abc'), password2: encrypt(t, 'abc') }, 20009, '至少8个字符'],
    ]
    for (const [more, code, words] of cases) {
      const answer = await register(form(more))
      expect(answer).toMatchObject({ code, error_code: code, success: false })
      expect(answer.msg).toContain(words)
    }
  })

  test('takes an account, a number and a phone once, also when two come at once', async () => {
    const first = form()
    expect((await register(first)).code).toBe(200)
    expect((await register(form({ username: first.username! }))).code).toBe(20012)
    expect((await register(form({ idCard: first.idCard! }))).code).toBe(20013)
    expect((await register(form({ phone: first.phone! }))).code).toBe(20014)
    const twins = [form(), form()]
    twins[1]!.idCard = twins[0]!.idCard
    const answers = await Promise.all(twins.map(register))
    expect(answers.map(one => one.code).sort()).toEqual([200, 20013])
  })

  test('waits for an auditor when the parameter says so, and may be repeated after a refusal', async () => {
    const audit = (paramValue: string) =>
      t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'register.audit').execute()
    await t.db.deleteFrom('throttle').execute()
    await audit('1')
    const fields = form()
    const { userId, accountStatus } = (await register(fields)).data
    expect(accountStatus).toBe(3)
    expect((await askToken(t, fields.username!, 'Abcd1234x')).body.code).toBe(20005)
    expect((await post(`audit-refuse?userIds=${userId}&remark=看不清`)).data).toMatchObject({ ok: [userId] })
    expect((await askToken(t, fields.username!, 'Abcd1234x')).body.msg).toContain('看不清')
    await tellDue(t.app)
    const told = () => t.db.selectFrom('message').select('code').where('userId', '=', userId).orderBy('id').execute()
    expect(await told()).toEqual([{ code: 'user.refused' }])
    const again = await register(form({ idCard: fields.idCard!, phone: fields.phone!, username: fields.username! }))
    expect(again.data).toMatchObject({ userId, accountStatus: 3 })
    const chief = root.body.user_id!
    expect((await post(`audit-pass?userIds=${userId},999`)).code).toBe(29001)
    expect((await post(`audit-pass?userIds=${userId},${chief}`)).data).toEqual({
      ok: [userId],
      skipped: [{ id: chief, reason: '不是待审核状态' }],
    })
    // Passed by the same person already: a success that changes nothing.
    expect((await post(`audit-pass?userIds=${userId}`)).data).toMatchObject({ ok: [userId], skipped: [] })
    expect((await askToken(t, fields.username!, 'Abcd1234x')).status).toBe(200)
    await audit('0')
  })

  test('takes pictures along in a multipart form', async () => {
    const { default: sharp } = await import('sharp')
    const picture = await sharp({ create: { width: 300, height: 420, channels: 3, background: '#88aacc' } })
      .jpeg()
      .toBuffer()
    const data = new FormData()
    const fields = form()
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    data.append('avatar', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'me.jpg')
    const body = new Response(data)
    const answer = await t.call<{ userId: string }>({
      method: 'POST',
      url: `${at}/register`,
      payload: Buffer.from(await body.arrayBuffer()),
      headers: { 'content-type': body.headers.get('content-type')!, ...(await solved(t)) },
    })
    expect(answer.code).toBe(200)
    const row = await rowOf(fields.username!)
    const attach = await t.db.selectFrom('attach').selectAll().where('id', '=', row.avatar!).executeTakeFirstOrThrow()
    expect(attach).toMatchObject({ ownerType: 'avatar', ownerId: row.id, createUser: row.id, visible: 3 })
  })

  test('is closed when the parameter says so; staff still make accounts', async () => {
    await t.db.updateTable('param').set({ paramValue: 'false' }).where('paramKey', '=', 'site.register').execute()
    expect(await register(form())).toMatchObject({ status: 403, code: 20011, msg: '系统未开放注册' })
    const { password: _p, password2: _q, ...applicant } = form()
    const admin = await loginAs(t, 'admin')
    const { data } = await post<{ id: string; oneTimePassword: string }>('saveUser', applicant, admin)
    expect((await login(t, applicant.username!, data.oneTimePassword)).body.detail.mustChangePwd).toBe(1)
    const candidate = await loginAs(t, 'candidate')
    expect((await post('saveUser', form(), candidate)).status).toBe(403)
  })
})
