import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { askToken, login, loginAs, makeUser, password, type Session } from '../../../../tests/helper/login.ts'
import { sampleIdCard } from '../../../../tests/helper/sample.ts'
import { unsaltedDigest } from './audit-chain.ts'

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

  test('are said in the words of buttons, with what the rows are called', async () => {
    const id = await makeUser(t, { account: 'told' })
    await post(admin, `/blade-system/user/disable?userIds=${id}`)
    const row = { paramName: '说明文字', paramKey: 'audit.told', paramValue: 'a' }
    await post(admin, '/blade-system/param/submit', row)
    const { id: paramId } = await t.db
      .selectFrom('param')
      .select('id')
      .where('paramKey', '=', 'audit.told')
      .executeTakeFirstOrThrow()
    await post(admin, '/blade-system/param/submit', { ...row, id: paramId, paramValue: 'b' })
    await post(admin, `/blade-system/param/remove?ids=${paramId}`)
    await post(auditor, '/blade-system/param/submit', row)
    interface Told {
      act: string
      targetTitle: string
      targetName: string
      targetNum: number
    }
    const page = await t.call<{ records: (Told & { userId: string })[] }>({
      url: `/api/blade-log/audit/page?size=5&chip=${encodeURIComponent('今天')}`,
      headers: auditor.headers,
    })
    expect(page).toMatchObject({ code: 200 })
    const told = page.data.records.map(({ act, targetTitle, targetName, targetNum }) => [
      act,
      targetTitle,
      targetName,
      targetNum,
    ])
    expect(told).toEqual([
      ['新增', '系统参数', '', 0],
      ['删除', '系统参数', '', 1],
      ['修改', '系统参数', '', 1],
      ['新增', '系统参数', '', 0],
      ['停用', '用户', expect.anything(), 1],
    ])
  })

  test('are found by what the rows are called that they are about, of those that whoever asks meets', async () => {
    const [id, other] = [await makeUser(t, { account: 'sought' }), await makeUser(t, { account: 'besides' })]
    await post(admin, `/blade-system/user/disable?userIds=${other},${id}`)
    await post(admin, `/blade-system/user/disable?userIds=${other}`)
    await makeUser(t, { account: 'foreign', tenantId: '000007' })
    const found = async (keyword: string) => {
      const url = `/api/blade-log/audit/page?size=5&keyword=${keyword}`
      const { data } = await t.call<{ records: { targetId: string }[] }>({ url, headers: auditor.headers })
      return data.records.map(one => one.targetId)
    }
    expect(await found('sought')).toEqual([`${other},${id}`])
    expect(await found('besides')).toEqual([other, `${other},${id}`])
    expect(await found('foreign')).toEqual([])
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

  test('goes on after an entry of another process, however sure one was of its end', async () => {
    const before = (await state()).count
    const request = { person: null, ip: '127.0.0.1', headers: {} } as never
    for (const app of [t, t, t, twin, t, t]) await app.app.audit.note(request, entry)
    expect(await state()).toMatchObject({ broken: null, count: before + 6 })
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

  /** Makes the entries of a tenant such as they were before contents had salts. */
  const unsalt = async (tenantId: string) => {
    const keyed = (text: string) => t.app.vault.hash('auditlog', text)
    const rows = await t.db.selectFrom('auditlog').selectAll().where('tenantId', '=', tenantId).orderBy('seq').execute()
    let hash = '0'.repeat(64)
    const statements: string[] = []
    for (const row of rows) {
      const prevHash = hash
      hash = unsaltedDigest(keyed, prevHash, { ...row, detail: row.detail as Record<string, unknown> })
      statements.push(
        `UPDATE auditlog SET salt = NULL, "contentHash" = NULL, "prevHash" = '${prevHash}', hash = '${hash}' WHERE id = ${row.id}`,
      )
    }
    const seal = keyed(JSON.stringify(['head', tenantId, rows.length, hash]))
    await tamper(
      ...statements,
      `UPDATE audit_head SET hash = '${hash}', seal = '${seal}' WHERE "tenantId" = '${tenantId}'`,
    )
  }
  const noteOf = (tenantId: string, n: number) =>
    t.app.audit.note({ person: null, ip: '127.0.0.1', headers: {} } as never, {
      event: 'grant',
      outcome: 1,
      tenantId,
      detail: { n },
    })
  const why = (tenantId: string) => ({ tenantId, userId: null, targetType: 'datapurge', targetId: '1' })
  const eraseOf = (tenantId: string, ...auditlog: number[]) =>
    t.db.transaction().execute(trx => t.app.audit.erase(trx, why(tenantId), { auditlog }))
  const detailsOf = async (tenantId: string) => {
    const rows = await t.db
      .selectFrom('auditlog')
      .select(['event', 'detail', 'salt'])
      .where('tenantId', '=', tenantId)
      .orderBy('seq')
      .execute()
    return rows.map(row => [row.event, (row.detail as { n?: number } | null)?.n ?? null, row.salt !== null])
  }

  test('stays whole when contents are erased, with entries from before there were salts, and finds what was changed after', async () => {
    const tenantId = '000081'
    for (const n of [1, 2]) await noteOf(tenantId, n)
    await unsalt(tenantId)
    for (const n of [3, 4, 5]) await noteOf(tenantId, n)
    const whole = () => t.app.audit.verify(tenantId)
    expect(await whole()).toMatchObject({ count: 5, broken: null, fault: null })
    expect(await eraseOf(tenantId, 1, 3, 4)).toBe(6)
    expect(await detailsOf(tenantId)).toEqual([
      ['grant', 1, false],
      ['grant', 2, false],
      ['grant', null, false],
      ['grant', null, false],
      ['grant', 5, true],
      ['purge', null, true],
    ])
    expect(await whole()).toMatchObject({ count: 6, broken: null, fault: null })
    // A byte anywhere: of an old entry, of one without content, of one that keeps it, of the one that says what went.
    for (const [seq, change, back] of [
      [1, `detail = '{"n": 9}'`, `detail = '{"n": 1}'`],
      [3, `outcome = 2`, `outcome = 1`],
      [3, `detail = '{"n": 3}'`, `detail = NULL`],
      [5, `detail = '{"n": 6}'`, `detail = '{"n": 5}'`],
      [6, `detail = '{"erased": {"auditlog": [3]}}'`, `detail = '{"erased": {"auditlog": [3, 4]}}'`],
    ] as const) {
      const at = `WHERE seq = ${seq} AND "tenantId" = '${tenantId}'`
      await tamper(`UPDATE auditlog SET ${change} ${at}`)
      expect((await whole()).broken).not.toBeNull()
      await tamper(`UPDATE auditlog SET ${back} ${at}`)
      expect(await whole()).toMatchObject({ broken: null })
    }
  })

  test('tells contents that were erased without an entry that says so', async () => {
    const tenantId = '000082'
    for (const n of [1, 2, 3]) await noteOf(tenantId, n)
    await eraseOf(tenantId, 2)
    const strip = (cutBy: string) => `UPDATE auditlog SET detail = NULL, salt = NULL, "cutBy" = ${cutBy}
      WHERE seq = 1 AND "tenantId" = '${tenantId}'`
    for (const cutBy of ['NULL', '4', '2']) {
      await tamper(strip(cutBy))
      expect(await t.app.audit.verify(tenantId)).toMatchObject({ broken: 1, fault: 'erased' })
    }
    // The database lets contents go as a whole only, and for a later entry.
    await expect(
      t.pool.query(`UPDATE auditlog SET detail = NULL WHERE seq = 3 AND "tenantId" = '${tenantId}'`),
    ).rejects.toThrow('append-only')
    await expect(
      t.pool.query(
        `UPDATE auditlog SET detail = NULL, salt = NULL, "cutBy" = 9, outcome = 2 WHERE seq = 3 AND "tenantId" = '${tenantId}'`,
      ),
    ).rejects.toThrow('append-only')
  })

  test('keeps the content of an entry that was changed, so that it is found', async () => {
    const tenantId = '000083'
    for (const n of [1, 2]) await noteOf(tenantId, n)
    await tamper(`UPDATE auditlog SET detail = '{"n": 8}' WHERE seq = 1 AND "tenantId" = '${tenantId}'`)
    await eraseOf(tenantId, 1, 2)
    expect(await t.app.audit.verify(tenantId)).toMatchObject({ broken: 1, fault: 'changed' })
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
