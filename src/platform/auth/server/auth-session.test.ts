import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { bearer, login, loginAs, makeUser, type Session, webClient } from '../../../../tests/helper/login.ts'
import { roleIds } from '../../tenants/server/seed/roles.ts'
import { endSessions } from './session.ts'

const own = '/api/blade-auth/oauth/user-info'
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

let t: TestApp
let second: TestApp
const adding = (app: TestApp['app']) => {
  app.get('/api/try/staff', { config: { access: 'staff' } }, async () => ({ code: 200 }))
  app.get('/api/try/user', { config: { access: { permission: 'user_edit' } } }, async () => ({ code: 200 }))
}
beforeAll(async () => {
  t = await testApp({ prepare: adding })
  second = await testApp({ url: t.url, prepare: adding })
})
afterAll(async () => {
  await second.close()
  await t.close()
})

const status = async (at: TestApp, session: Session | Record<string, string>, url = own) => {
  const headers = 'headers' in session ? (session as Session).headers : session
  return (await at.app.inject({ url, headers })).statusCode
}

const refresh = async (token: string, headers: Record<string, string> = {}, at = t) => {
  const query = { grant_type: 'refresh_token', refresh_token: token }
  const url = '/api/blade-auth/oauth/token'
  const answer = await at.app.inject({ method: 'POST', url, query, headers: { authorization: webClient, ...headers } })
  return { status: answer.statusCode, body: answer.json() }
}

describe('a token', () => {
  test('B20 · opens every process, in its header only', async () => {
    const session = await loginAs(t, 'reviewer')
    expect([await status(t, session), await status(second, session)]).toEqual([200, 200])
    const token = session.body.access_token!
    for (const headers of [{}, { cookie: `blade-auth=${token}` }, { authorization: `bearer ${token}` }]) {
      expect(await status(t, headers as Record<string, string>, `${own}?blade-auth=bearer ${token}`)).toBe(401)
    }
    expect(await status(t, { 'blade-auth': `Bearer ${token}` })).toBe(200)
  })

  test('B19 · that is tampered with, unsigned, of the other kind or empty opens nothing', async () => {
    const { body } = await loginAs(t, 'administrator')
    const claims = base64({ user_id: body.user_id, role_name: 'administrator', exp: 9e9, token_type: 'access_token' })
    const forged = `${base64({ alg: 'none', typ: 'JWT' })}.${claims}.`
    const token = body.access_token!
    for (const one of [body.refresh_token!, forged, `${token}x`, token.slice(1), token.toUpperCase(), '', 'null']) {
      expect(await t.call({ url: own, headers: bearer(one) })).toMatchObject({ status: 401, code: 401, success: false })
    }
  })

  test('B19 · ends after an hour', async () => {
    const session = await loginAs(t, 'candidate')
    t.setNow(new Date(Date.now() + 3599_000))
    expect(await status(t, session)).toBe(200)
    t.setNow(new Date(Date.now() + 3601_000))
    expect(await status(t, session)).toBe(401)
    t.setNow(new Date())
  })

  test('of staff who were away for half an hour opens nothing, nor does its refresh token', async () => {
    const staff = await loginAs(t, 'reviewer')
    const candidate = await loginAs(t, 'candidate')
    t.setNow(new Date(Date.now() + 29 * 60_000))
    expect(await status(t, staff)).toBe(200)
    t.setNow(new Date(Date.now() + 58 * 60_000))
    expect(await status(t, staff)).toBe(200)
    t.setNow(new Date(Date.now() + 89 * 60_000))
    expect((await refresh(staff.body.refresh_token!)).status).toBe(401)
    expect((await refresh(candidate.body.refresh_token!)).status).toBe(200)
    t.setNow(new Date())
  })
})

describe('a session', () => {
  test('B19 · ends when its account is disabled or removed or its tenant expires', async () => {
    const session = await loginAs(t, 'reviewer')
    const id = session.body.user_id!
    const set = (values: object) => t.db.updateTable('user').set(values).where('id', '=', id).execute()
    expect(await status(second, session)).toBe(200)
    await set({ accountStatus: 2 })
    expect(await status(second, session)).toBe(401)
    await set({ accountStatus: 1, isDeleted: 1 })
    expect(await status(second, session)).toBe(401)
    await set({ isDeleted: 0 })
    await t.db
      .updateTable('tenant')
      .set({ expireTime: new Date(0) })
      .execute()
    expect(await status(second, session)).toBe(401)
    await t.db.updateTable('tenant').set({ expireTime: null }).execute()
    expect(await status(second, session)).toBe(200)
    await endSessions(t.db, [id], 'password', new Date())
    expect(await status(second, session)).toBe(401)
  })

  test('B19 · has the rights of this moment, in every process', async () => {
    const session = await loginAs(t, 'admin')
    const id = session.body.user_id!
    expect(await status(second, session, '/api/try/user')).toBe(200)
    const menu = await t.db.selectFrom('menu').select('id').where('code', '=', 'user_edit').executeTakeFirstOrThrow()
    const grant = { roleId: roleIds.admin!, menuId: menu.id }
    await t.db.deleteFrom('role_menu').where('roleId', '=', grant.roleId).where('menuId', '=', menu.id).execute()
    expect(await status(second, session, '/api/try/user')).toBe(403)
    await t.db.insertInto('role_menu').values(grant).execute()
    expect(await status(second, session, '/api/try/user')).toBe(200)
    await t.db.updateTable('user').set({ roleId: roleIds.guest! }).where('id', '=', id).execute()
    expect(await status(second, session, '/api/try/user')).toBe(403)
    expect(await status(second, session, '/api/try/staff')).toBe(403)
  })

  test('of a candidate does not reach the console', async () => {
    const session = await loginAs(t, 'candidate')
    expect(await status(t, session, '/api/try/staff')).toBe(403)
    expect(await status(t, session, '/api/try/user')).toBe(403)
    expect(await status(t, {}, '/api/try/staff')).toBe(401)
  })
})

describe('a refresh token', () => {
  test('B9 · serves once; whoever brings it again later ends the whole session', async () => {
    const { body } = await loginAs(t, 'candidate')
    const next = await refresh(body.refresh_token!)
    expect(next.status).toBe(200)
    expect(next.body.user_id).toBe(body.user_id)
    expect(await status(t, bearer(next.body.access_token))).toBe(200)
    t.setNow(new Date(Date.now() + 11_000))
    expect(await refresh(body.refresh_token!)).toMatchObject({
      status: 401,
      body: { error_code: 401, error_description: '用户令牌过期，请重新登录' },
    })
    expect(await status(second, bearer(next.body.access_token))).toBe(401)
    expect((await refresh(next.body.refresh_token)).status).toBe(401)
    t.setNow(new Date())
  })

  test('that was spent a moment ago gets the same answer again, from every process', async () => {
    const { body } = await loginAs(t, 'reviewer')
    const tokens = ({ status, body: { access_token, refresh_token } }: Awaited<ReturnType<typeof refresh>>) =>
      ({ status, access_token, refresh_token }) as const
    const first = tokens(await refresh(body.refresh_token!))
    expect(first.status).toBe(200)
    for (const seconds of [0.015, 3, 9]) {
      t.setNow(new Date(Date.now() + seconds * 1000))
      expect(tokens(await refresh(body.refresh_token!))).toEqual(first)
      expect(tokens(await refresh(body.refresh_token!, {}, second))).toEqual(first)
    }
    t.setNow(new Date())
    expect(await status(t, bearer(first.access_token))).toBe(200)
    expect((await refresh(first.refresh_token)).status).toBe(200)
    // The session has gone on: the caller is told so, takes what the others have, and nobody is signed out.
    expect(await refresh(body.refresh_token!)).toMatchObject({ status: 409, body: { error_code: 29006 } })
    expect(await status(t, bearer(first.access_token))).toBe(200)
  })

  test('brought by several at the same moment gives all of them the same', async () => {
    const { body } = await loginAs(t, 'reviewer')
    const answers = await Promise.all([t, second, t, second, t].map(at => refresh(body.refresh_token!, {}, at)))
    expect(answers.map(one => one.status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(one => one.body.refresh_token)).size).toBe(1)
    expect(await status(t, bearer(answers[4]!.body.access_token))).toBe(200)
    const { n } = await t.db
      .selectFrom('session_token')
      .innerJoin('session', 'session.id', 'session_token.sessionId')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('session.userId', '=', body.user_id!)
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(4)
  })

  test('spent for one role is no answer for another', async () => {
    const both = `${roleIds.reviewer},${roleIds.finance}`
    await makeUser(t, { role: 'reviewer', account: 'either', roleId: both })
    const { body } = await login(t, 'either')
    expect((await refresh(body.refresh_token!)).status).toBe(200)
    const other = await refresh(body.refresh_token!, { 'role-id': roleIds.finance! })
    expect(other).toMatchObject({ status: 409, body: { error_code: 29006 } })
  })

  test('lasts seven days for candidates and twelve hours for staff', async () => {
    const { body } = await loginAs(t, 'candidate')
    t.setNow(new Date(Date.now() + 7 * 86_400_000 - 10_000))
    expect((await refresh(body.refresh_token!)).status).toBe(200)
    t.setNow(new Date())
    const staff = await loginAs(t, 'reviewer')
    t.setNow(new Date(Date.now() + 12 * 3_600_000 + 1000))
    await t.db.updateTable('session').set({ lastSeen: t.app.now() }).execute()
    expect((await refresh(staff.body.refresh_token!)).status).toBe(401)
    t.setNow(new Date())
  })

  test('switches between the roles a person has, and to no other', async () => {
    const both = `${roleIds.reviewer},${roleIds.finance}`
    await makeUser(t, { role: 'reviewer', account: 'both', roleId: both })
    const { body } = await login(t, 'both')
    expect(body.role_name).toBe('reviewer,finance')
    const one = await refresh(body.refresh_token!, { 'role-id': roleIds.finance! })
    expect(one.body.role_name).toBe('finance')
    const { data } = await t.call<{ roles: string[] }>({ url: own, headers: bearer(one.body.access_token) })
    expect(data.roles).toEqual(['finance'])
    const kept = await refresh(one.body.refresh_token)
    expect(kept.body.role_name).toBe('finance')
    expect((await refresh(kept.body.refresh_token, { 'role-id': roleIds.administrator! })).status).toBe(403)
    const back = await refresh(kept.body.refresh_token, { 'role-id': both })
    expect(back.body.role_name).toBe('reviewer,finance')
  })
})

test('a session ends half an hour after its person; what a page asks by itself does not count as activity', async () => {
  const after = (minutes: number) => t.setNow(new Date(Date.now() + minutes * 60_000))
  const [there, away] = [await loginAs(t, 'reviewer'), await loginAs(t, 'reviewer')]
  for (const minutes of [5, 10, 15, 20, 25, 29]) {
    after(minutes)
    expect(await status(t, { ...away.headers, 'x-unattended': '1' })).toBe(200)
    if (minutes === 20) expect(await status(t, there.headers)).toBe(200)
  }
  after(31)
  expect(await status(t, there.headers)).toBe(200)
  expect(await status(t, { ...away.headers, 'x-unattended': '1' })).toBe(401)
  t.setNow(new Date())
})

test('browsers send their errors, a few times an hour', async () => {
  const { headers } = await loginAs(t, 'reviewer')
  const send = (payload: object[]) => t.call({ method: 'POST', url: '/api/blade-auth/oauth/logout', headers, payload })
  const entry = { url: '/x', type: 'error', message: 'ab', stack: 's', time: 'now', info: 'i' }
  expect((await send([{ ...entry, message: 'a\u0000b' }])).code).toBe(29005)
  expect((await send([entry])).code).toBe(200)
  expect(await t.db.selectFrom('log_error').selectAll().execute()).toMatchObject([
    { serviceId: 'browser', requestUri: '/x', exceptionName: 'error', message: 'ab', stackTrace: 'now\ns\ni' },
  ])
  expect((await send(Array.from({ length: 101 }, () => ({})))).code).toBe(29005)
  for (let i = 0; i < 4; i++) await send([])
  expect((await send([])).status).toBe(429)
  expect(await status(t, { headers, body: {} as Session['body'] })).toBe(200)
})
