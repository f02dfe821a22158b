import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { askToken, login, loginAs, makeUser, password, type Session } from '../helper/login.ts'
import { sampleIdCard } from '../helper/sample.ts'

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
      `UPDATE auditlog SET seq = -seq WHERE seq = ${count}`,
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
