import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { askToken, login, loginAs, makeUser, password, type Session } from '../../../../tests/helper/login.ts'
import { sampleIdCard } from '../../../../tests/helper/sample.ts'

let t: TestApp
let twin: TestApp
let admin: Session
let auditor: Session

beforeAll(async () => {
  t = await testApp()
  twin = await testApp({ url: t.url })
  admin = await loginAs(t, 'administrator')
  auditor = await loginAs(t, 'auditor')
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

interface Entry {
  event: string
  userId: string
  targetType: string
  targetId: string
  outcome: number
  ip: string
  detail: Record<string, unknown>
}

const last = async (): Promise<Entry> =>
  (await t.db.selectFrom('auditlog').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()) as Entry

const post = (who: Session, url: string, payload: object = {}) =>
  t.call({ method: 'POST', url: `/api${url}`, headers: who.headers, payload })

const state = () => t.app.audit.verify('000000')

describe('security events', () => {
  test('a login, a wrong password and a logout', async () => {
    const id = await makeUser(t, { account: 'zhang' })
    await askToken(t, 'zhang', 'wrong-Password1')
    expect(await last()).toMatchObject({ event: 'loginFail', outcome: 2, userId: null, detail: { account: 'zhang' } })
    const session = await login(t, 'zhang')
    expect(await last()).toMatchObject({ event: 'login', outcome: 1, userId: id })
    await t.call({ url: '/api/blade-auth/oauth/logout', headers: session.headers })
    expect(await last()).toMatchObject({ event: 'logout', outcome: 1, userId: id })
  })

  test('a login that fails stands in the log of the tenant it was for', async () => {
    await t.pool.query(`INSERT INTO tenant ("tenantId", "tenantName") VALUES ('000078', '甲') ON CONFLICT DO NOTHING`)
    for (const [asked, kept] of Object.entries({ '000078': '000078', '999999': '000000' })) {
      await askToken(t, 'nobody', 'wrong-Password1', { headers: { 'tenant-id': asked } })
      const chain = t.db.selectFrom('auditlog').selectAll().where('tenantId', '=', kept).orderBy('seq', 'desc')
      expect(await chain.limit(1).executeTakeFirst()).toMatchObject({ event: 'loginFail' })
    }
  })

  test('a refreshed session is none', async () => {
    const { body } = await login(t, 'zhang')
    const before = (await state()).count
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
    expect((await askToken(t, 'zhang', password, { query: refresh })).status).toBe(200)
    expect((await state()).count).toBe(before)
  })

  test('a parameter that was changed, with its values, and one that was refused', async () => {
    const row = { paramName: '标题', paramKey: 'audit.test', paramValue: 'a' }
    expect((await post(admin, '/blade-system/param/submit', row)).code).toBe(200)
    expect(await last()).toMatchObject({ event: 'param', outcome: 1, targetType: 'param', detail: { params: row } })
    expect((await post(admin, '/blade-system/param/submit', row)).code).toBe(29004)
    expect(await last()).toMatchObject({ event: 'param', outcome: 2, detail: { code: 29004 } })
    expect((await post(auditor, '/blade-system/param/submit', row)).code).toBe(403)
    expect(await last()).toMatchObject({ event: 'param', outcome: 3 })
  })

  test('an export, before its first byte, and an account that was switched off', async () => {
    const id = await makeUser(t, { account: 'li' })
    await t.app.inject({ url: '/api/blade-system/user/export?account=li', headers: admin.headers })
    expect(await last()).toMatchObject({ event: 'export', targetType: 'user', detail: { params: { account: 'li' } } })
    await post(admin, `/blade-system/user/changeStatus?id=${id}&status=2`)
    expect(await last()).toMatchObject({ event: 'disable', targetId: id, outcome: 1 })
  })

  test('an attempt to read what is not one’s own, but not every single one', async () => {
    const { body, headers } = await loginAs(t, 'reviewer')
    const count = async () => (await state()).count
    const before = await count()
    for (let i = 0; i < 25; i++) await t.call({ url: `/api/blade-system/param/detail?id=${i + 1}`, headers })
    await expect.poll(count).toBe(before + 20)
    expect(await last()).toMatchObject({ event: 'denied', outcome: 3, userId: body.user_id, targetType: 'param' })
  })

  test('B30 · hold nothing that must not be read', async () => {
    const idCard = sampleIdCard(77)
    const secret = 'Geheim@2026'
    await post(admin, '/blade-system/user/submit', { account: 'x', password: secret, idCard, name: `n ${idCard}` })
    await askToken(t, idCard, secret)
    const rows = await t.db.selectFrom('auditlog').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(idCard)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('without its entry', () => {
  const isThere = (paramKey: string) =>
    t.db.selectFrom('param').select('id').where('paramKey', '=', paramKey).executeTakeFirst()
  const write = (paramKey: string, key?: string) =>
    t.call({
      method: 'POST',
      url: '/api/blade-system/param/submit',
      headers: { ...admin.headers, ...(key && { 'idempotency-key': key }) },
      payload: { paramName: '无审计', paramKey, paramValue: '1' },
    })

  test('nothing is done, and nobody is told what was read', async () => {
    const role = await t.db
      .selectFrom('role')
      .select('id')
      .where('roleAlias', '=', 'reviewer')
      .executeTakeFirstOrThrow()
    const grants = async () =>
      (await t.db.selectFrom('role_menu').select('menuId').where('roleId', '=', role.id).execute()).length
    const before = await grants()
    expect(before).toBeGreaterThan(0)
    await t.pool.query(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room''; END'`,
    )
    await t.pool.query('CREATE TRIGGER no_room BEFORE INSERT ON auditlog FOR EACH ROW EXECUTE FUNCTION no_room()')
    expect((await write('audit.none', 'key-audit')).status).toBe(500)
    expect(await isThere('audit.none')).toBeUndefined()
    expect((await post(admin, `/blade-system/role/grant`, { roleIds: role.id, menuIds: '' })).status).toBe(500)
    expect(await grants()).toBe(before)
    const entered = await askToken(t, 'zhang', password)
    expect([entered.status, entered.body.access_token]).toEqual([500, undefined])
    // What was refused in the first place is not told either, nor is what the database says.
    const refused = await write('audit.test')
    expect(refused).toMatchObject({ status: 500, code: 500, success: false, msg: expect.stringContaining('系统异常') })
    expect(JSON.stringify(refused)).not.toContain('no room')
    const sheet = await t.app.inject({ url: '/api/blade-system/user/export?account=li', headers: admin.headers })
    expect([sheet.statusCode, sheet.headers['content-type']]).toEqual([500, expect.stringContaining('json')])
    await t.pool.query('DROP TRIGGER no_room ON auditlog; DROP FUNCTION no_room')
    // The key was not used up: what failed may be sent again.
    expect((await write('audit.none', 'key-audit')).code).toBe(200)
    expect(await isThere('audit.none')).toBeDefined()
  })

  test('a repetition that does nothing has none', async () => {
    const before = (await state()).count
    expect((await write('audit.twice', 'key-twice')).code).toBe(200)
    expect((await write('audit.twice', 'key-twice')).code).toBe(200)
    expect((await state()).count).toBe(before + 1)
  })

  test('a tenant’s chain counts its own entries only', async () => {
    const request = { person: null, ip: '127.0.0.1', headers: {} } as never
    for (let i = 0; i < 3; i++) await t.app.audit.note(request, { event: 'grant', outcome: 1, tenantId: '000077' })
    expect(await t.app.audit.verify('000077')).toMatchObject({ count: 3, broken: null })
    expect((await state()).count).toBeGreaterThan(3)
  })
})

describe('the chain', () => {
  const entry = { event: 'grant', outcome: 1, detail: { b: 1, a: '灯' } } as const

  test('is one line however many write at once', async () => {
    const before = (await state()).count
    const request = { person: null, ip: '127.0.0.1', headers: {} } as never
    const writes = Array.from({ length: 60 }, (_, i) => (i % 2 ? t : twin).app.audit.note(request, entry))
    await Promise.all(writes)
    expect(await state()).toMatchObject({ broken: null, count: before + 60 })
    expect(await twin.app.audit.verify('000000')).toEqual(await state())
  })

  test('belongs to the transaction it is written in', async () => {
    const before = await state()
    const request = { person: null, ip: '127.0.0.1', headers: {} } as never
    const undone = t.db.transaction().execute(async trx => {
      await t.app.audit.note(request, entry, trx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await state()).toEqual(before)
  })

  test.each(['UPDATE auditlog SET outcome = 1', 'DELETE FROM auditlog', 'TRUNCATE auditlog'])(
    'cannot be changed by the server: %s',
    async sql => {
      await expect(t.pool.query(sql)).rejects.toThrow('append-only')
    },
  )

  /** What somebody does who owns the database but not the key of the installation. */
  const tamper = async (...statements: string[]) => {
    const client = await t.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('ALTER TABLE auditlog DISABLE TRIGGER USER')
      for (const sql of statements) await client.query(sql)
      await client.query('ALTER TABLE auditlog ENABLE TRIGGER USER')
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  }

  test('shows what was changed behind its back', async () => {
    await tamper(`UPDATE auditlog SET detail = detail || '{"x": 1}' WHERE seq = 3`)
    expect(await state()).toMatchObject({ broken: 3 })
    await tamper(`UPDATE auditlog SET detail = detail - 'x' WHERE seq = 3`)
    expect(await state()).toMatchObject({ broken: null })
  })

  test('shows what was cut off its end, even with its head moved back', async () => {
    const { count } = await state()
    await tamper(
      `UPDATE audit_head h SET seq = ${count - 1}, hash = l.hash FROM auditlog l WHERE l.seq = ${count - 1}`,
      `DELETE FROM auditlog WHERE seq = ${count}`,
    )
    expect(await state()).toMatchObject({ broken: count })
  })

  test('tells the auditor in words, and nobody else', async () => {
    const answer = await t.call<{ message: string; ok: boolean }>({
      url: '/api/blade-log/audit/verify',
      headers: auditor.headers,
    })
    expect(answer.data).toMatchObject({ ok: false, message: expect.stringContaining('不一致') })
    const other = await loginAs(t, 'exam_admin')
    expect((await t.call({ url: '/api/blade-log/audit/verify', headers: other.headers })).code).toBe(403)
  })
})
