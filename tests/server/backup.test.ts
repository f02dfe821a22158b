import { execFile, spawn } from 'node:child_process'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { entities } from '#schemas'
import { tablesOf } from '../../src/crud/table.ts'
import { type OpenBackup, openBackup } from '../../src/platform/backup/backup-file.ts'
import { backupTroubles, readBackupState } from '../../src/platform/backup/backup-state.ts'
import { startCopy } from '../../src/platform/backup/copy-cluster.ts'
import { compareTables, lookThrough } from '../../src/platform/backup/invariants.ts'
import { addKept, keepFiles } from '../../src/platform/backup/keep-files.ts'
import { backupBefore, checkMoment, momentOf, recoverTo } from '../../src/platform/backup/recover.ts'
import { keyFor, type Restored, restoreBackup } from '../../src/platform/backup/restore.ts'
import { requireEmpty, restoreRows } from '../../src/platform/backup/restore-rows.ts'
import { readShape } from '../../src/platform/backup/shape.ts'
import { takeBackup } from '../../src/platform/backup/take-backup.ts'
import { takeRows } from '../../src/platform/backup/take-rows.ts'
import { watchWal } from '../../src/platform/backup/watch-wal.ts'
import { openPool } from '../../src/platform/database/database.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { removeLeft } from '../../src/platform/files/file-hold.ts'
import { buildApp } from '../../src/server/app.ts'
import { testApp, testConfig, testDatabase } from '../helper/app.ts'
import { login } from '../helper/login.ts'
import { buildServer } from '../helper/process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const passphrase = 'shan hai guan 2026'
const administrator = 'Shan7-Hai9-Guan'
/** Milliseconds of `restore --check`: twelve times what it may take on an idle machine. */
const mostCheck = 120_000
let folder: string
let app: FastifyInstance
let backup: string

const at = (...names: string[]) => path.join(folder, ...names)
const take = () =>
  takeBackup(
    { pool: app.pool, dataDir: at('data'), secretKey: undefined },
    { to: at('out'), passphrase: async () => passphrase },
  )
const restore = (file: string, into: string, given: { passphrase?: string; secretKey?: string } = { passphrase }) =>
  restoreBackup(
    file,
    { into, secretKey: given.secretKey, passphrase: async () => given.passphrase, say: () => {} },
    async ({ manifest }) => manifest,
  )
/** What opens a backup of this installation. */
const opened = { secretKey: undefined, passphrase: async () => passphrase, say: () => {} }
const exists = (name: string) =>
  stat(name).then(
    () => true,
    () => false,
  )

/** Runs a program as npm does. */
const run = (program: string, args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string; errors: string }>(resolve => {
    const given = { PATH: process.env.PATH, BACKUP_PASSPHRASE: passphrase, ...env }
    execFile(
      process.execPath,
      [`dist/server/${program}.js`, ...args],
      { cwd: root, env: given },
      (error, output, errors) => resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
  })

/** How many rows a table of a restored cluster has, and the last of them. */
const rowsOf =
  (table: string) =>
  async ({ manifest }: OpenBackup, { cluster }: Restored): Promise<{ n: number; last: number }> => {
    const copy = await startCopy(manifest, cluster!, {}, () => {})
    const client = new pg.Client(copy.connection)
    await client.connect()
    const { rows } = await client.query(`SELECT count(*)::int AS n, max(id) AS last FROM ${table}`)
    await client.end()
    await copy.stop()
    return rows[0]
  }

async function readShapeOf(pool: pg.Pool) {
  const client = await pool.connect()
  return readShape(client).finally(() => client.release())
}

/** Keeps a file as an upload does. */
async function keep(bytes: string): Promise<{ id: string; key: string }> {
  const { key } = await app.storage.place('000000', 'pdf')
  await app.storage.put(key, Buffer.from(bytes))
  const { rows } = await app.pool.query<{ id: string }>(
    `INSERT INTO attach (link, name, "originalName", extension, "attachSize", "contentType", sha256, "ownerType", "ownerId", visible,
       "scanState", "tenantId", "createTime", "updateTime", "isDeleted", status)
     VALUES ('', $1, 'a.pdf', 'pdf', $2, 'application/pdf', encode(sha256($3), 'hex'), 'files', '1', 3, 1, '000000', now(), now(), 0, 1)
     RETURNING id::text`,
    [key, bytes.length, Buffer.from(bytes)],
  )
  return { id: rows[0]!.id, key }
}

beforeAll(async () => {
  buildServer()
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-backup-'))
  // User nobody, who runs PostgreSQL when root runs the tests, must get in.
  await chmod(folder, 0o755)
  app = await buildApp(
    testConfig({
      dataDir: at('data'),
      secretKey: undefined,
      demo: false,
      adminPassword: administrator,
      backupDir: at('own'),
      backupPassphrase: passphrase,
    }),
  )
  await app.pool.query('CREATE TABLE written (id integer PRIMARY KEY, at timestamptz DEFAULT clock_timestamp())')
  for (const text of ['one', 'two']) await keep(text)
})
afterAll(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a backup taken under load holds everything that was acknowledged before it began, and passes its check', async () => {
  let isOver = false
  let acknowledged = 0
  const request = { person: null, ip: '127.0.0.1', headers: {} } as never
  const load = async () => {
    while (!isOver) {
      await app.pool.query('INSERT INTO written VALUES ($1)', [acknowledged + 1])
      acknowledged++
      if (acknowledged % 50 === 0)
        await app.audit.note(request, { event: 'grant', outcome: 1, detail: { acknowledged } })
    }
  }
  const loading = load()
  await expect.poll(() => acknowledged).toBeGreaterThan(100)
  const before = acknowledged
  const taken = await take().finally(() => {
    isOver = true
  })
  await loading
  backup = taken.file
  expect(acknowledged).toBeGreaterThan(before)
  expect(await readdir(at('out'))).toEqual([path.basename(backup)])
  const { rows } = await app.pool.query('SELECT kind, state, file, bytes::int, "holdUntil" FROM backup_run')
  const { size } = await stat(backup)
  expect(rows).toEqual([{ kind: 'physical', state: 'done', file: backup, bytes: size, holdUntil: null }])

  const began = performance.now()
  const checked = await run('restore', ['--check', '--json', backup])
  expect(performance.now() - began).toBeLessThan(mostCheck)
  expect(checked).toMatchObject({ code: 0, errors: '' })
  const { isRight, findings } = JSON.parse(checked.output)
  expect([isRight, findings.map((one: { what: string }) => one.what)]).toEqual([
    true,
    ['tables', 'keys', 'audit', 'files', 'money'],
  ])
  expect(findings[3].says).toMatch(/^2 files are there/)

  const found = await restoreBackup(backup, { into: at('new'), ...opened }, rowsOf('written'))
  expect(await readFile(at('new/secret.key'))).toEqual(await readFile(at('data/secret.key')))
  // PostgreSQL starts on no other folder.
  expect((await stat(at('new/postgres'))).mode & 0o777).toBe(0o700)
  // No row is missing in between.
  expect(found.n).toBe(found.last)
  expect(found.n).toBeGreaterThanOrEqual(before)
  expect(found.n).toBeLessThanOrEqual(acknowledged)
})

test('one that cannot be restored is refused in words, and the folder stays as it was', async () => {
  const refusal = async (file: string, given?: { passphrase?: string; secretKey?: string }) => {
    const message = await restore(file, at('refused'), given).then(
      () => 'restored',
      (error: Error) => error.message,
    )
    expect((await readdir(folder)).filter(name => name.startsWith('refused'))).toEqual([])
    return message
  }
  expect(await refusal(backup, { passphrase: 'another passphrase' })).toMatch(/passphrase does not open the key/)
  expect(await refusal(backup, {})).toMatch(/BACKUP_PASSPHRASE is missing/)
  const { size } = await stat(backup)
  const { manifest, close } = await openBackup(backup)
  await close()
  const files = manifest.parts.find(one => one.name === 'files')!
  const spoiled = at('spoiled.tar')
  /** Reads all of it, as a restore does. */
  const read = async (file: string) => {
    try {
      const open = await openBackup(file)
      try {
        for (const part of open.manifest.parts) for await (const _ of open.entries(part));
        return await keyFor(open, { secretKey: undefined, passphrase: async () => passphrase }).then(() => 'read')
      } finally {
        await open.close()
      }
    } catch (error) {
      return (error as Error).message
    }
  }
  await copyFile(backup, spoiled)
  /** Changes one bit. */
  const spoil = async (place: number) => {
    const file = await open(spoiled, 'r+')
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, place)
    byte[0] = byte[0]! ^ 1
    await file.write(byte, 0, 1, place)
    await file.close()
  }
  // A header, a file, what fills its block, the manifest, the last byte.
  const places = [0, files.from + 515, files.to + 600, size - 1700, size - 1]
  for (const place of places) {
    await spoil(place)
    expect(await read(spoiled)).toMatch(/damaged|no backup|no archive|passphrase does not open/)
    await spoil(place)
  }
  expect(await read(spoiled)).toBe('read')
  // One whose last page was changed is written whole before that is found.
  await spoil(files.from - 1000)
  expect(await refusal(spoiled)).toMatch(/the part postgres is not as it was written/)
  await truncate(spoiled, size - 4096)
  expect(await refusal(spoiled)).toMatch(/ends too early|no manifest/)

  await mkdir(at('full'))
  await writeFile(at('full/mine.txt'), 'mine')
  await expect(restore(backup, at('full'))).rejects.toThrow(/is not empty/)
  expect(await readdir(at('full'))).toEqual(['mine.txt'])
})

test('rows go to another cluster: as many of each table, with what no definition names, and the administrator signs in', async () => {
  const { pool } = app
  // What older rows break is not enforced where they are, and what is not defined any more stays.
  await pool.query('ALTER TABLE tenant ADD left_over integer, ALTER "tenantName" DROP NOT NULL')
  await pool.query(`UPDATE tenant SET left_over = 7`)
  const { rows: rule } = await pool.query<{ name: string; sql: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS sql FROM pg_constraint WHERE conname LIKE 'c_attach_attachSize_%'`,
  )
  await pool.query(`ALTER TABLE attach DROP CONSTRAINT "${rule[0]!.name}"`)
  const { id: broken } = await keep('four')
  await pool.query('UPDATE attach SET "attachSize" = -1 WHERE id = $1', [broken])
  await pool.query(
    `INSERT INTO log_api (id, "tenantId", "createTime") VALUES (1, '000000', '2024-02-03'), (2, '000000', now())`,
  )
  const { file, manifest } = await takeRows(
    { pool, dataDir: at('data'), secretKey: undefined },
    { to: at('rows'), passphrase: async () => passphrase },
  )
  expect((await pool.query('SELECT kind, state FROM backup_run ORDER BY id DESC LIMIT 1')).rows).toEqual([
    { kind: 'logical', state: 'done' },
  ])
  const target = await testDatabase('template0')
  const other = openPool({ connectionString: target.url })
  try {
    const into = at('rows-new')
    await restoreBackup(file, { into, ...opened }, async backup => {
      await requireEmpty(other)
      await restoreRows(backup, other, tablesOf(entities))
    })
    await expect(requireEmpty(other)).rejects.toThrow(/not empty/)
    const client = await other.connect()
    expect(await compareTables(client, manifest).finally(() => client.release())).toMatchObject({ isRight: true })
    const shapes = await Promise.all([pool, other].map(readShapeOf))
    // What no definition names keeps its columns and values.
    for (const { columns } of shapes) expect(columns.written?.map(({ name }) => name)).toEqual(['id', 'at'])
    const named = shapes.map(({ columns: { written, ...columns }, rules }) => ({ columns, rules }))
    expect(named[1]).toEqual(named[0])
    expect((await other.query('SELECT DISTINCT left_over FROM tenant')).rows).toEqual([{ left_over: 7 }])
    const { rows } = await other.query(`SELECT tableoid::regclass::text AS part FROM log_api ORDER BY id`)
    expect(rows.map(({ part }) => part)).toEqual(['log_api_202402', expect.stringMatching(/^log_api_2/)])
    const t = await testApp({ url: target.url, config: { dataDir: into, secretKey: undefined, demo: false } })
    try {
      const { body } = await login(t, 'admin', administrator)
      expect(body.access_token).toEqual(expect.any(String))
      expect((await lookThrough(t.app)).map(({ isRight }) => isRight)).toEqual([true, true, true])
    } finally {
      await t.close()
    }
  } finally {
    await other.end()
    await target.drop()
    await pool.query('ALTER TABLE tenant DROP left_over, ALTER "tenantName" SET NOT NULL')
    await pool.query('UPDATE attach SET "attachSize" = 4 WHERE id = $1', [broken])
    await pool.query(`ALTER TABLE attach ADD CONSTRAINT "${rule[0]!.name}" ${rule[0]!.sql}`)
  }
})

test('no backup is taken without the key, and one of an installation that is given its key is opened with that key', async () => {
  const hidden = at('data/secret.key')
  const key = (await readFile(hidden, 'utf8')).trim()
  await rm(hidden)
  await expect(take()).rejects.toThrow(/secret\.key cannot be read/)
  const { file } = await takeBackup(
    { pool: app.pool, dataDir: at('data'), secretKey: key },
    { to: at('given'), passphrase: async () => undefined },
  )
  await writeFile(hidden, key, { mode: 0o600 })
  expect((await readFile(file)).includes(key)).toBe(false)
  await expect(restore(file, at('given-new'), {})).rejects.toThrow(/SECRET_KEY is missing/)
  await expect(restore(file, at('given-new'), { secretKey: `${key}x` })).rejects.toThrow(/is not the key/)
  expect(await exists(at('given-new'))).toBe(false)
  const given = await openBackup(file)
  // It is not part of the backup, so none is written.
  expect(await keyFor(given, { secretKey: key, passphrase: async () => undefined })).toBeUndefined()
  await given.close()
})

test('files that are removed while a backup is being taken stay until it has ended, also when it was killed', async () => {
  const { key } = await keep('three')
  const file = at('data/files', key)
  const held = `INSERT INTO backup_run (kind, state, host, file, "holdUntil") VALUES ('physical', 'running', 'h', 'f', clock_timestamp() + interval '1 min')`
  await app.pool.query(held)
  await app.storage.remove(key)
  await removeLeft(app, () => {})
  expect(await exists(file)).toBe(true)
  // Nobody renews it any more.
  await app.pool.query(`UPDATE backup_run SET "holdUntil" = clock_timestamp() WHERE state = 'running'`)
  await removeLeft(app, () => {})
  expect(await exists(file)).toBe(false)
  expect((await app.pool.query('SELECT key FROM file_leaving')).rows).toEqual([])
})

test('a moment between two changes comes back to the row, through ends of the receiver and of its connection', async () => {
  const to = at('watched')
  const { pool } = app
  const said: string[] = []
  const receive = () => {
    const ending = new AbortController()
    const options = { to, slot: 'watcher', signal: ending.signal, say: (sentence: string) => said.push(sentence) }
    const ended = watchWal(pool, options)
    return () => {
      ending.abort()
      return ended
    }
  }
  /** Until all that was committed is on the disk of the receiver. */
  const arrived = () =>
    expect
      .poll(async () => {
        const { rows } = await pool.query(
          `SELECT coalesce(bool_or(flush_lsn >= pg_current_wal_flush_lsn()), false) AS is FROM pg_stat_replication`,
        )
        return rows[0].is
      })
      .toBe(true)
  const insert = async (from: number, count: number) => {
    await pool.query('INSERT INTO moments SELECT * FROM generate_series($1::int, $2::int)', [from, from + count - 1])
  }
  const moment = async () => {
    const { rows } = await pool.query<{ at: Date }>('SELECT clock_timestamp() AS at')
    // Commits are told apart by the millisecond at least.
    await pool.query('SELECT pg_sleep(0.02)')
    return new Date(rows[0]!.at.getTime() + 5)
  }
  await pool.query('CREATE TABLE moments (id integer PRIMARY KEY)')
  const stop = receive()
  await expect.poll(() => said.join()).toContain('slot watcher was made')
  const early = await moment()
  const { file } = await takeBackup(
    { pool, dataDir: at('data'), secretKey: undefined },
    { to, passphrase: async () => passphrase },
  )
  await insert(1, 3000)
  await arrived()
  await stop()
  // Nobody receives this; the slot keeps it.
  await insert(3001, 3000)
  // A whole file of the log ends.
  await pool.query('SELECT pg_switch_wal()')
  const program = spawn(process.execPath, ['dist/server/backup.js', 'watch', '--to', to, '--slot', 'watcher'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: at('data') },
    stdio: 'ignore',
  })
  const code = new Promise<number | null>(resolve => program.once('close', resolve))
  onTestFinished(() => void program.kill('SIGKILL'))
  await arrived()
  await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_replication')
  const late = await keep('after the backup')
  await insert(6001, 777)
  const wanted = await moment()
  await insert(7001, 50)
  await pool.query('DROP TABLE moments')
  await pool.query('SELECT pg_switch_wal()')
  await keepFiles({ pool, dataDir: at('data'), secretKey: undefined }, to, early)
  await arrived()
  program.kill()
  expect(await code).toBe(0)
  expect((await readdir(path.join(to, 'wal'))).filter(name => /^[0-9A-F]{24}$/.test(name)).length).toBeGreaterThan(0)

  const bring = (time: Date, into: string) =>
    restoreBackup(
      file,
      {
        into,
        ...opened,
        accept: manifest => checkMoment(manifest, time, path.join(to, 'wal')),
      },
      async (backup, { cluster, dataDir }) => {
        await recoverTo(backup, cluster!, time, path.join(to, 'wal'), () => {})
        await addKept(to, path.join(dataDir, 'files'))
        return rowsOf('moments')(backup, { cluster, dataDir })
      },
    )
  expect(await bring(wanted, at('moment'))).toEqual({ n: 6777, last: 6777 })
  expect(await readFile(at('moment/files', late.key), 'utf8')).toBe('after the backup')
  const asked = ['--into', at('moment-asked'), '--at', wanted.toISOString()]
  const { code: restored, errors } = await run('restore', [to, ...asked])
  expect([restored, restored === 0 ? '' : errors]).toEqual([0, ''])
  expect(await readFile(at('moment-asked/files', late.key), 'utf8')).toBe('after the backup')
  expect(await exists(at('moment-asked/postgres/PG_VERSION'))).toBe(true)
  await expect(bring(new Date(Date.now() + 3_600_000), at('later'))).rejects.toThrow(
    /The log that was received ends before/,
  )
  await expect(bring(early, at('sooner'))).rejects.toThrow(/restore an older one/)
  expect([await exists(at('later')), await exists(at('sooner'))]).toEqual([false, false])

  // What was received belongs to what was before the database was taken back.
  const back = await openEmbedded(at('moment'), { settings: { fsync: 'off' }, say: () => {} })
  const backPool = new pg.Pool(back.connection)
  const begun = { to, slot: 'watcher', signal: new AbortController().signal, say: () => {} }
  await expect(watchWal(backPool, begun)).rejects.toThrow(/The database was taken back: .*wal.*take a new backup/)
  // What ends before the moment goes on, with a gap.
  const names = (await readdir(path.join(to, 'wal'))).filter(name => /^[0-9A-F]{24}/.test(name)).toSorted()
  for (const name of names.slice(1)) await rm(path.join(to, 'wal', name))
  const enough = new AbortController()
  const heard: string[] = []
  const going = watchWal(backPool, { ...begun, signal: enough.signal, say: sentence => heard.push(sentence) })
  await expect.poll(() => heard.join()).toContain('There is a gap in the log')
  enough.abort()
  await going
  await backPool.end()
  await back.close()
  expect(await backupBefore(to, new Date())).toBe(file)
  await expect(backupBefore(to, early)).rejects.toThrow(/no whole backup/)
  await pool.query(`SELECT pg_drop_replication_slot('watcher')`)
})

test('the server takes backups by itself and removes the oldest, with what only they needed', async () => {
  const { pool } = app
  const { rows: before } = await pool.query(`SELECT pg_create_physical_replication_slot('unread', true)`)
  expect(before).toHaveLength(1)
  await pool.query(`UPDATE param SET "paramValue" = '1' WHERE "paramKey" = 'backup.keep'`)
  const older = at('own/juxian-20250101T000000Z.tar')
  const rowsOnly = at('own/juxian-20250101T000000Z-logical.tar')
  const { manifest, close } = await openBackup(backup)
  await close()
  const { system, segmentSize } = manifest.wal!
  await mkdir(at('own/wal'), { recursive: true })
  await mkdir(at('own/files/aa'), { recursive: true })
  await copyFile(backup, older)
  await writeFile(rowsOnly, 'kept')
  await writeFile(at('own/wal/system.json'), JSON.stringify({ system, segmentSize }))
  for (const name of ['000000010000000000000001', '0000000100000000000000FF']) await writeFile(at('own/wal', name), '')
  for (const name of ['old.pdf', 'new.pdf']) await writeFile(at('own/files/aa', name), name)
  await utimes(at('own/files/aa/old.pdf'), 1e9, 1e9)
  await utimes(at('own/files/aa/new.pdf'), 4e9, 4e9)

  expect(await app.jobs.run('backup')).toBe(true)
  const state = await readBackupState(pool)
  expect((await readdir(at('own'))).filter(name => name.endsWith('.tar')).toSorted()).toEqual([
    path.basename(rowsOnly),
    path.basename(state.last!.file),
  ])
  expect((await readdir(at('own/wal'))).toSorted()).toEqual(['0000000100000000000000FF', 'system.json'])
  expect(await readdir(at('own/files/aa'))).toEqual(['new.pdf'])

  expect(state).toMatchObject({
    last: { kind: 'physical', ageSeconds: expect.any(Number), bytes: (await stat(state.last!.file)).size },
    failure: null,
    slots: [{ name: 'unread', isActive: false, isLost: false, heldBytes: expect.any(Number) }],
  })
  expect(backupTroubles(state)).toEqual([expect.stringMatching(/^Nobody receives the log for the slot unread/)])
  await pool.query(`SELECT pg_drop_replication_slot('unread')`)
  await pool.query(`UPDATE backup_run SET ended = ended - interval '30 h', began = began - interval '30 h'`)
  await pool.query(
    `INSERT INTO backup_run (kind, state, host, file, "holdUntil") VALUES ('physical', 'running', 'h', 'f', now())`,
  )
  expect(backupTroubles(await readBackupState(pool))).toEqual([
    'The last backup is 30 hours old.',
    'The last backup failed: its process has ended',
  ])
})

test('a process that was not told where backups go does not keep silent when others were', async () => {
  const t = await testApp()
  try {
    expect(await t.app.jobs.run('backup')).toBe(true)
    expect((await t.pool.query('SELECT 1 FROM backup_run')).rowCount).toBe(0)
    await t.pool.query(
      `INSERT INTO backup_run (kind, state, host, file, "isOwn") VALUES ('physical', 'done', 'h', 'f', true)`,
    )
    await expect(t.app.jobs.run('backup')).rejects.toThrow(/BACKUP_DIR is not set at this process/)
  } finally {
    await t.close()
  }
})

test.each([
  ['2026-11-22 10:13:09+08', '2026-11-22T02:13:09.000Z'],
  ['2026-11-22 10:13', '2026-11-22T02:13:00.000Z'],
  ['2026-11-22T02:13:09.800Z', '2026-11-22T02:13:09.800Z'],
  ['2026-11-22 02:13:09 -0330', '2026-11-22T05:43:09.000Z'],
])('a moment is read: %s', (text, read) => expect(momentOf(text).toISOString()).toBe(read))

test.each(['yesterday', '2026-11-22', '2026-13-22 10:13:09+08', '10:13:09'])('and refused: %s', text => {
  expect(() => momentOf(text)).toThrow(/is no moment/)
})

test('a backup waits for a removal that has begun', async () => {
  const client = new pg.Client({ ...app.pool.options, application_name: 'remover' })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock_shared(811000005)')
  let isTaken = false
  const taking = take().then(taken => {
    isTaken = true
    return taken
  })
  await expect
    .poll(
      async () => (await app.pool.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rowCount,
    )
    .toBe(1)
  expect(isTaken).toBe(false)
  await client.query('COMMIT')
  await client.end()
  await rm((await taking).file)
})

test('what a killed backup leaves does not look like one', async () => {
  const draft = at('out/juxian-20260101T000000Z.tar.part')
  await (await open(draft, 'w')).close()
  await expect(openBackup(draft)).rejects.toThrow()
  const failing = takeBackup(
    { pool: app.pool, dataDir: at('data'), secretKey: undefined },
    { to: at('out'), passphrase: async () => 'short' },
  )
  await expect(failing).rejects.toThrow(/too short/)
  expect((await readdir(at('out'))).filter(name => name.endsWith('.tar'))).toEqual([path.basename(backup)])
})
