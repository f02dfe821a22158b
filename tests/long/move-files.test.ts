import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey } from '../../src/platform/channels/storage/index.ts'
import { adoptPlace, moveFiles, removeMoved, tellStore } from '../../src/platform/files/move.ts'
import { storeRow } from '../../src/platform/files/own-store.ts'
import { placesOf } from '../../src/platform/files/storage.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { testSecretKey } from '../helper/cluster.ts'
import { signIn } from '../helper/person.ts'
import { buildServer } from '../helper/process.ts'
import { type S3Server, s3Server } from '../helper/s3.ts'
import { fileStatus, uploadPicture } from '../helper/upload.ts'

let server: S3Server
let t: TestApp
let lines: string[] = []
const prefix = 'moved/'
beforeAll(async () => {
  server = await s3Server()
  t = await testApp()
})
afterAll(async () => {
  await t?.close()
  await server?.close()
})

/** What work is given in a process with the data folder of the server, or another. */
const room = (more: { dataDir?: string; isLocal?: true } = {}) => {
  lines = []
  const s3 = more.isLocal ? undefined : server.account(prefix)
  const places = placesOf({ dataDir: more.dataDir ?? t.app.config.dataDir, s3 })
  return { db: t.db, direct: t.app.direct, now: t.app.now, places, tell: (line: string) => lines.push(line) }
}
const inBucket = async () => (await server.keys(`${prefix}keep/`)).map(key => key.slice(`${prefix}keep/`.length)).sort()
async function inFolder(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of room().places.folder.files.list()) keys.push(key)
  return keys.sort()
}

/** After the built program, a server from the sources goes on: to the database that is another version. */
const fromSources = () => t.pool.query('DELETE FROM schema_past')

/** The program of `npm run files`, in a process of its own. */
function program(args: readonly string[], more: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: t.url,
    DATA_DIR: t.app.config.dataDir,
    SECRET_KEY: testSecretKey,
    ...server.variables(prefix),
    ...more,
  }
  const child = spawn(process.execPath, ['dist/server/files.js', ...args], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return { child, ended, output: () => output }
}

describe('files of a folder are moved into a bucket', () => {
  const keys: string[] = []
  let large: string
  beforeAll(async () => {
    buildServer()
    const { files } = room().places.folder
    for (let i = 0; i < 300; i++) keys.push(newKey('pdf'))
    for (const key of keys) await files.put(key, Buffer.from(key))
    large = newKey('zip')
    await files.put(large, randomBytes(9 * 1024 ** 2))
  })

  test('while servers run, and after a kill from where it was', async () => {
    const first = program(['move'])
    await expect.poll(() => /(\d+) files left/.exec(first.output())?.[1] ?? first.output()).toMatch(/^\d+$/)
    first.child.kill('SIGKILL')
    await first.ended
    const row = await storeRow(t.db)
    expect(row).toMatchObject({ kind: 'local', moved: expect.any(String) })
    const some = await inBucket()
    expect(some.length).toBeGreaterThan(50)
    expect(some.length).toBeLessThan(301)
    // A server without the bucket goes on meanwhile, with files in parts that are done.
    const who = await signIn(t, { role: 'administrator' })
    const early = await uploadPicture(t, who, 'task')
    await room().places.folder.files.put('00/00000000000000000000000000000000.pdf', Buffer.from('early'))
    // One of those that were sent is not as it was, one has gone since.
    const last = some.find(key => key > row!.moved!) ?? some.at(-1)!
    await room().places.bucket!.files.put(last, Buffer.from('broken off'))
    const second = program(['move'])
    expect([await second.ended, second.output()]).toEqual([0, expect.stringMatching(/All files are in http/)])
    expect(await inBucket()).toEqual(await inFolder())
    const { bucket } = room().places
    if (row!.moved! < last) expect((await bucket!.files.get(last)).toString()).toBe(last)
    expect((await bucket!.files.get(large)).equals(await room().places.folder.files.get(large))).toBe(true)
    expect(await storeRow(t.db)).toMatchObject({ kind: 's3', moved: null, id: row!.id })
    expect((await bucket!.marker.read()) === row!.id).toBe(true)
    expect(await fileStatus(t, who, early)).toBe(200)
    // That server was started without the bucket: it takes no more.
    expect(await t.app.storage.fault()).toMatch(/start this process anew/)
  })

  test('a server with the bucket reads them on any machine', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'juxian-other-'))
    await fromSources()
    const other = await testApp({ url: t.url, config: { dataDir, s3: server.account(prefix) } })
    try {
      const found = await Promise.all(keys.slice(0, 20).map(key => other.app.storage.get(key)))
      expect(found.map(String)).toEqual(keys.slice(0, 20))
      expect(await other.app.storage.fault()).toBeNull()
    } finally {
      await other.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('the folder is kept until it is said otherwise; what was removed meanwhile does not come back', async () => {
    const [gone = '', , young = ''] = keys
    const { folder, bucket } = room().places
    await bucket!.files.remove(gone)
    await bucket!.files.remove(young)
    const old = new Date('2026-01-01')
    await utimes(path.join(t.app.config.dataDir, 'files', gone), old, old)
    await removeMoved(room())
    expect(lines).toEqual([expect.stringMatching(/^303 files removed/)])
    expect(await inFolder()).toEqual([])
    expect(await folder.marker.read()).toBeNull()
    expect(await inBucket()).not.toContain(gone)
    expect(await inBucket()).toContain(young)
    await moveFiles(room())
    expect(lines).toEqual([expect.stringMatching(/^All files are in http/)])
  })

  test('not from another folder, not by two at once, and not without a bucket', async () => {
    await t.db.updateTable('file_store').set({ kind: 'local', place: '/srv/a/files on host a' }).execute()
    await expect(moveFiles(room({ dataDir: os.tmpdir() }))).rejects.toThrow(/\/srv\/a\/files on host a: run this where/)
    await expect(moveFiles(room({ isLocal: true }))).rejects.toThrow(/Set S3_ENDPOINT/)
    await expect(removeMoved(room())).rejects.toThrow(/Not all files are in the bucket yet/)
    const busy = await t.app.direct.connect()
    await busy.query('SELECT pg_advisory_lock(811000490)')
    for (const work of [moveFiles, removeMoved]) await expect(work(room())).rejects.toThrow(/Another `npm run files`/)
    await busy.query('SELECT pg_advisory_unlock_all()')
    busy.release(true)
    await tellStore(room())
    expect(lines[0]).toMatch(/^The files are in \/srv\/a\/files on host a/)
  })
})

describe('a place is taken instead of one that is lost', () => {
  test('only when it is said, where files are missing in it', async () => {
    const who = await signIn(t, { role: 'administrator' })
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'juxian-adopted-'))
    try {
      await t.db.updateTable('file_store').set({ id: 'lost', kind: 'local', place: '/srv/a/files on host a' }).execute()
      expect(await adoptPlace(room({ dataDir, isLocal: true }), false)).toBe(false)
      expect(lines.join(' ')).toMatch(/^1 of 1 files that the database names are not in .*adopt --yes/)
      expect(await storeRow(t.db)).toMatchObject({ id: 'lost' })
      expect(await adoptPlace(room({ dataDir, isLocal: true }), true)).toBe(true)
      await fromSources()
      const other = await testApp({ url: t.url, config: { dataDir } })
      expect(await fileStatus(other, who, await uploadPicture(other, who, 'task'))).toBe(200)
      await other.close()
      // Back to the bucket, which has all but the one that was just taken.
      expect(await adoptPlace(room(), false)).toBe(false)
      expect(lines.join(' ')).toMatch(/^1 of 2 files/)
      const inFolderOfOther = program([], { DATA_DIR: dataDir })
      expect(await inFolderOfOther.ended).toBe(0)
      expect(inFolderOfOther.output()).toMatch(/The database names 2[\s\S]*is of this installation and holds 1 files/)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
