import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mask } from '#engine'
import { User } from '#schemas/system/user'
import { countOld, countSealed, rotateKeys } from '../../src/platform/vault/key-rotation.ts'
import { sealedColumns } from '../../src/platform/vault/sealed-columns.ts'
import { loadSecrets } from '../../src/platform/vault/secrets.ts'
import { createVault, type Vault } from '../../src/platform/vault/vault.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { testSecretKey } from '../helper/cluster.ts'
import { loginAs, type Session } from '../helper/login.ts'
import { buildServer } from '../helper/process.ts'
import { insert, samplePhone } from '../helper/sample.ts'
import { serverFiles } from '../helper/tree.ts'

const root = path.resolve(import.meta.dirname, '../..')

let t: TestApp
/** A server that started before any rotation, on the same database. */
let other: TestApp
let admin: Session
beforeAll(async () => {
  t = await testApp()
  other = await testApp({ url: t.url })
  admin = await loginAs(t, 'administrator')
  await insert(t.app, User, { account: 'early', phone: samplePhone(77) })
})
afterAll(async () => {
  await other?.close()
  await t?.close()
})

const versionOf = (sealed: string | null) => Number(/^v(\d+):/.exec(sealed ?? '')?.[1])

/** Numbers that went out, a row each, sealed by a server. */
async function fill(count: number, by = t) {
  const rows = Array.from({ length: count }, (_, n) => ({ id: `k${n}`, phone: by.app.vault.seal(samplePhone(n)) }))
  await t.pool.query(
    `INSERT INTO sms_sent (id, "smsId", "tenantId", phone, segments, "time")
     SELECT r.id, 1, '000000', r.phone, 1, now() FROM unnest($1::text[], $2::text[]) r (id, phone)`,
    [rows.map(row => row.id), rows.map(row => row.phone)],
  )
}

const phones = async () => {
  const rows = await t.db.selectFrom('sms_sent').select(['id', 'phone']).execute()
  return new Map(rows.map(row => [row.id, row.phone]))
}

test('every place that seals is known to the rotation', () => {
  const files = serverFiles.filter(
    file =>
      file.endsWith('.ts') &&
      file !== 'src/platform/vault/key-rotation.ts' &&
      /vault\.seal\(/.test(readFileSync(path.join(root, file), 'utf8')),
  )
  expect(Object.keys(places).toSorted()).toEqual(files.toSorted())
  const known = new Set(sealedColumns.map(one => `${one.table}.${one.column}`))
  expect(Object.values(places).flatMap(list => list.filter(one => !known.has(one)))).toEqual([])
})

/** What each file that seals puts where. A new one is listed here, and its column in `sealed-columns.ts`. */
const places: Record<string, readonly string[]> = {
  'src/platform/auth/server/enrol.ts': ['second_factor.pending', 'second_factor.secret'],
  'src/platform/auth/server/social-flow.ts': ['oauth_state.verifier'],
  'src/platform/settings/server/keys.ts': [
    'sms.accessKey',
    'sms.secretKey',
    'oss.accessKey',
    'oss.secretKey',
    'wechat.appSecret',
  ],
  'src/platform/settings/server/drafts.ts': ['draft.content'],
  'src/modules/development/server/hooks.ts': ['datasource.password'],
  'src/modules/webhooks/server/rules.ts': ['hook.secret', 'hook.formerSecret'],
  'src/modules/jobs/server/powerjob/server-rules.ts': ['job_server.jobAppPassword'],
  'src/modules/payment/server/merchant.ts': ['pay.privateKey', 'pay.apiV3Key'],
  'src/platform/auth/server/client-hooks.ts': ['client.privateKey'],
  'src/modules/messages/server/receivers.ts': ['sendmessage.phone'],
  'src/modules/publicity/server/objection.ts': ['objection.objectorName', 'objection.objectorPhone'],
  // Drawn and forgotten.
  'src/modules/sign-up/server/draft-pdf.ts': [],
  'src/modules/sign-up/server/store.ts': ['signup.idCard', 'signup.phone'],
  'src/platform/auth/server/oauth-source.ts': ['oauth_source.clientSecret'],
  'src/platform/accounts/server/claim.ts': ['idclaim.idCard', 'idclaim.phone', 'idclaim.password'],
  'src/platform/accounts/server/profile.ts': ['user.phone'],
  'src/platform/accounts/server/contact-changed.ts': ['formeraddress.address'],
  'src/platform/accounts/server/register.ts': ['user.phone', 'user.idCard'],
  'src/modules/notifications/server/delivery-out.ts': ['delivery.address'],
  'src/platform/channels/wechat/api.ts': ['wechat_token.token'],
  'src/platform/accounts/server/wechat-binding.ts': ['wechat_ticket.openid', 'wechatbinding.openid'],
  'src/demo/messages.ts': ['wechat.appSecret', 'wechat.pushToken', 'wechat.aesKey'],
  // A word in the place of what was erased.
  'src/modules/privacy/server/erasing.ts': [
    'signup.idCard',
    'examinationticket.idCard',
    'sendmessage.phone',
    'user.phone',
  ],
  // Whatever the definitions seal.
  'src/crud/encode.ts': ['userupdateinfo.idCard', 'payrecord.idCard', 'result.idCard', 'examinationticket.idCard'],
  'src/platform/queue/queue.ts': ['work_item.payload'],
  'src/demo/accounts.ts': ['user.idCard', 'user.phone'],
  'src/platform/channels/sms/sms-ledger.ts': ['sms_sent.phone'],
  // Answers live for a day; the version that sealed them stays and opens them.
  'src/platform/http/server/idempotency.ts': [],
}

test('a new key seals everything anew under writers that go on, and nothing of theirs is lost', async () => {
  await fill(2000)
  const written = new Map([...(await phones()).keys()].map((id, n) => [id, samplePhone(n)]))
  expect([...(await phones()).values()].every(text => versionOf(text) === 1)).toBe(true)
  let going = true
  const writers = [t, other].map(async ({ app, pool }, writer) => {
    for (let n = writer; going; n += 2) {
      const [id, phone] = [`k${n % 2000}`, samplePhone(100_000 + n)]
      await pool.query('UPDATE sms_sent SET phone = $2 WHERE id = $1', [id, app.vault.seal(phone)])
      written.set(id, phone)
    }
    return app.vault.seal('x')
  })
  const done = await rotateKeys(t.app).finally(() => {
    going = false
  })
  expect((await Promise.all(writers)).map(versionOf)).toEqual([2, 2])
  expect(done).toMatchObject({ isNew: true, version: 2 })
  expect(done.changed).toBeGreaterThan(500)
  const stored = await phones()
  for (const server of [t, other])
    expect(new Map([...stored].map(([id, text]) => [id, server.app.vault.open(text)]))).toEqual(written)
  expect(new Set([...stored.values()].map(versionOf))).toEqual(new Set([2]))
  expect(await countOld(t.app)).toEqual([])
})

test('people are found and seen as before, whoever sealed them', async () => {
  const url = `/api/blade-system/user/page?phone=${samplePhone(77)}`
  const { data } = await other.call<{ records: { account: string; phone: string }[] }>({ url, headers: admin.headers })
  expect(data.records).toMatchObject([{ account: 'early', phone: mask.phone(samplePhone(77)) }])
  const user = await t.db.selectFrom('user').select('phone').where('account', '=', 'early').executeTakeFirstOrThrow()
  expect(versionOf(user.phone)).toBe(2)
})

test('one that was ended half way is gone on with', async () => {
  const old = t.app.vault.seal('13900000000')
  await t.pool.query(`UPDATE sms_sent SET phone = $1`, [old])
  // Where one is ended: before the new key is in use, and among the rows.
  await t.app.secrets.add('vault')
  const { pool } = t
  let statements = 0
  const dying = {
    connect: () => pool.connect(),
    query: (...args: [string, unknown[]]) => {
      if (/^\s*UPDATE "sms_sent"/.test(args[0]) && ++statements === 2) throw new Error('killed')
      return pool.query(...args)
    },
  }
  await expect(rotateKeys({ ...room(), pool: dying as never })).rejects.toThrow('killed')
  expect(
    (await countSealed(t.app)).filter(one => one.table === 'sms_sent').map(one => [one.version, one.count]),
  ).toEqual([
    [2, 1500],
    [3, 500],
  ])
  expect(other.app.vault.open(other.app.vault.seal('中'))).toBe('中')
  expect(await rotateKeys(room())).toMatchObject({ isNew: false, version: 3, changed: 1500 })
  expect(await countOld(t.app)).toEqual([])
  expect(other.app.vault.open(old)).toBe('13900000000')
})

const room = () => ({ pool: t.pool, direct: t.pool, secrets: t.app.secrets, vault: t.app.vault })

test('a server that has lost its connection takes the new key as soon as it is back', async () => {
  const early = await loadSecrets(t.pool, testSecretKey)
  const ended =
    await t.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
    AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_advisory_%lock_shared%')`)
  expect(ended.rowCount).toBe(2)
  await rotateKeys(room())
  await expect.poll(() => versionOf(other.app.vault.seal('x'))).toBe(4)
  // Whoever meets a version that he does not know looks for it.
  const sealed = other.app.vault.seal('新')
  const vault = createVault(early, () => void early.reload())
  expect(() => vault.open(sealed)).toThrow('no version 4')
  await expect.poll(() => opened(vault, sealed)).toBe('新')
})

const opened = (vault: Vault, sealed: string): string => {
  try {
    return vault.open(sealed)
  } catch (error) {
    return String(error)
  }
}

describe('the program', () => {
  beforeAll(buildServer)

  /** Starts it as `npm run keys` does. */
  const start = (...args: string[]) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: t.url, SECRET_KEY: testSecretKey, LOG_LEVEL: 'silent' }
    const child = spawn(process.execPath, ['dist/server/keys.js', ...args], { cwd: root, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    const end = new Promise<{ code: number | null; output: string }>(resolve =>
      child.once('close', code => resolve({ code, output })),
    )
    return { child, end }
  }
  const counts = async () =>
    (await countSealed(t.app)).flatMap(one => (one.table === 'sms_sent' ? [[one.version, one.count]] : []))

  test('tells what is sealed by which key; killed among the rows it goes on the next time', async () => {
    expect(await counts()).toEqual([[4, 2000]])
    // Somebody holds the last row, so that it is known where it stands when it is killed.
    const holder = await t.pool.connect()
    await holder.query(`BEGIN; SELECT 1 FROM sms_sent WHERE id = 'k999' FOR UPDATE`)
    const { child, end } = start('rotate')
    await expect.poll(counts).toEqual([
      [4, 500],
      [5, 1500],
    ])
    child.kill('SIGKILL')
    expect((await end).code).toBeNull()
    // The statement it was at would go on without it.
    await t.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE "sms_sent"%'`)
    await holder.query('ROLLBACK')
    holder.release()
    expect((await start().end).output).toMatch(
      /第5版\n(?:.*\n)*sms_sent.phone：第4版500项\nsms_sent.phone：第5版1500项/,
    )
    expect(await start('rotate').end).toMatchObject({
      code: 0,
      output: expect.stringMatching(/继续完成.*重新加密500项/),
    })
    expect(await counts()).toEqual([[5, 2000]])
    for (const text of (await phones()).values()) expect(other.app.vault.open(text)).toBe('13900000000')
  })
})
