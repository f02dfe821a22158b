import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testApp, testDatabase } from '../../../tests/helper/app.ts'
import { type S3Server, s3Server } from '../../../tests/helper/s3.ts'
import { byKey, newKey } from '../channels/storage/index.ts'
import type { S3Account } from '../config/s3.ts'
import { openDatabase, openPool } from '../database/database.ts'
import { firstTenant } from '../database/first-tenant.ts'
import { fitStore, isStill, storageOf, storeRow } from './own-store.ts'
import { placesOf, removeAllFiles } from './storage.ts'

let server: S3Server
let database: TestDatabase
let pool: ReturnType<typeof openPool>
let db: ReturnType<typeof openDatabase>
let root: string
let bucket: S3Account
let count = 0
let rows = 0
beforeAll(async () => {
  server = await s3Server()
  database = await testDatabase()
  pool = openPool({ connectionString: database.url })
  db = openDatabase(pool)
  root = await mkdtemp(path.join(os.tmpdir(), 'juxian-stores-'))
})
afterAll(async () => {
  await db?.destroy()
  await database?.drop()
  await server?.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => {
  bucket = server.account(`case-${++count}`)
})
afterEach(() => pool.query('DELETE FROM file_store; DELETE FROM attach'))

/** The places of a process with a data folder of this name. */
const on = (name: string, s3?: S3Account) => placesOf({ dataDir: path.join(root, `${count}-${name}`), s3 })
const start = (places: ReturnType<typeof on>) => fitStore(db, places, new Date('2026-06-01T00:00:00Z'))
/** A file that the database names. */
async function nameFile(key = newKey('pdf')): Promise<string> {
  await pool.query(`INSERT INTO attach SELECT * FROM json_populate_record(NULL::attach, $1::json)`, [
    JSON.stringify({
      id: ++rows,
      tenantId: firstTenant,
      link: '',
      domainUrl: '',
      name: key,
      originalName: 'a.pdf',
      extension: 'pdf',
      attachSize: 1,
      contentType: 'application/pdf',
      sha256: '',
      ownerType: 'task',
      visible: 3,
      scanState: 1,
      ossCode: 'local',
      isDeleted: 0,
      status: 1,
      createTime: '2026-06-01',
      updateTime: '2026-06-01',
    }),
  ])
  return key
}

describe('a folder', () => {
  test('of the first start is that of the installation; another is refused with what helps', async () => {
    const first = await start(on('a'))
    expect(first.mode).toBe('local')
    expect(await start(on('a'))).toEqual(first)
    await expect(start(on('b'))).rejects.toThrow(
      /another folder \(\S+1-a\/files on host \S+, since 2026-06-01 08:00\)\. Mount that folder .*set S3_ENDPOINT.*npm run files -- adopt/,
    )
    expect(await on('b').folder.marker.read()).toBeNull()
  })

  test('that was restored, or is there under another name, goes on', async () => {
    const { id } = await start(on('a'))
    await rename(path.join(root, `${count}-a`), path.join(root, `${count}-b`))
    expect((await start(on('b'))).id).toBe(id)
  })

  test('of a running installation is taken without a word, one without its files is not', async () => {
    const key = await nameFile()
    await nameFile()
    await on('a').folder.files.put(key, Buffer.from('x'))
    await expect(start(on('b'))).rejects.toThrow(/The database names files, and \S+-b\/files on host \S+ holds none/)
    expect((await start(on('a'))).mode).toBe('local')
  })

  test('is one of several that start at the same moment', async () => {
    const starts = await Promise.allSettled(['a', 'b', 'c', 'a'].map(name => start(on(name))))
    const good = starts.flatMap(one => (one.status === 'fulfilled' ? [one.value.id] : []))
    const row = await storeRow(db)
    expect(new Set(good)).toEqual(new Set([row?.id]))
    const marks = await Promise.all(['a', 'b', 'c'].map(name => on(name).folder.marker.read()))
    expect(marks.filter(mark => mark !== null)).toEqual([row?.id])
  })

  test('goes on after an end between marker and row, and within the marker', async () => {
    const id = await on('a').folder.marker.write('4b0d4c9a-2f4e-4a57-9d4b-0d8a3a0f0b11')
    expect((await start(on('a'))).id).toBe(id)
    await pool.query('DELETE FROM file_store')
    await mkdir(path.join(root, `${count}-b`, 'files'), { recursive: true })
    await writeFile(path.join(root, `${count}-b`, 'files', '.store'), '')
    expect((await start(on('b'))).id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('a bucket', () => {
  test('of a new installation holds its files and its marker under the prefix', async () => {
    const store = await start(on('a', bucket))
    expect(store.mode).toBe('s3')
    expect(await start(on('b', bucket))).toEqual(store)
    const key = newKey('pdf')
    await storageOf(on('a', bucket), 's3').put(key, Buffer.from('x'))
    expect(await server.keys(bucket.prefix)).toEqual([`${bucket.prefix}.store`, `${bucket.prefix}keep/${key}`].sort())
    await removeAllFiles({ dataDir: path.join(root, 'none'), s3: bucket })
    expect(await server.keys(bucket.prefix)).toEqual([])
  })

  test('that is another, or none, is refused; after an end between row and marker it goes on', async () => {
    await start(on('a', bucket))
    await expect(start(on('a'))).rejects.toThrow(/in a bucket \(http\S+case-\d+\/?, since .*Set S3_ENDPOINT/)
    await expect(start(on('a', server.account('empty')))).rejects.toThrow(/in a bucket .* this process looks into/)
    await on('a', bucket).bucket?.marker.remove()
    expect((await start(on('a', bucket))).mode).toBe('s3')
    await pool.query('UPDATE file_store SET id = $1', ['another'])
    await expect(start(on('a', bucket))).rejects.toThrow(/in a bucket/)
  })

  test('that was emptied is not taken for the one that held the files', async () => {
    await start(on('a', bucket))
    await nameFile()
    await removeAllFiles({ dataDir: path.join(root, 'none'), s3: bucket })
    await expect(start(on('a', bucket))).rejects.toThrow(/in a bucket/)
  })

  test('beside an older folder takes new files, and only those go on who have the folder', async () => {
    const { id } = await start(on('a'))
    const old = newKey('pdf')
    await on('a').folder.files.put(old, Buffer.from('old'))
    await expect(start(on('b', bucket))).rejects.toThrow(/still in a folder.*npm run files -- move/)
    expect(await start(on('a', bucket))).toEqual({ id, mode: 'both' })
    const storage = storageOf(on('a', bucket), 'both')
    const fresh = newKey('pdf')
    await storage.put(fresh, Buffer.from('new'))
    expect(await on('a').folder.files.size(fresh)).toBeNull()
    const read = async (key: string) => Buffer.concat(await storage.open(key).toArray()).toString()
    expect([await read(old), await read(fresh), (await storage.get(old)).toString()]).toEqual(['old', 'new', 'old'])
    for (const key of [old, fresh]) await storage.remove(key)
    await expect(read(old)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(storage.get(fresh)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('given together with the upgrade leaves older files where they are found', async () => {
    const key = await nameFile()
    await on('a').folder.files.put(key, Buffer.from('x'))
    await expect(start(on('b', bucket))).rejects.toThrow(/holds none/)
    expect((await start(on('a', bucket))).mode).toBe('both')
    const other = server.account(`copied-${count}`)
    await pool.query('DELETE FROM file_store')
    await on('b', other).bucket?.files.put(key, Buffer.from('x'))
    expect((await start(on('b', other))).mode).toBe('s3')
  })

  test('of another installation is refused', async () => {
    await on('a', bucket).bucket?.marker.write('another')
    await start(on('a'))
    await expect(start(on('a', bucket))).rejects.toThrow(/holds the files of another installation/)
  })
})

test('a list is in the order of keys, without marker and drafts', async () => {
  const { folder } = on('list')
  const keys = ['3f/3f01.pdf', '3f/3f02', '3f-a/1', '40/4.pdf', 'top']
  for (const key of keys) await folder.files.put(key, Buffer.from(key))
  await folder.marker.write('x')
  await writeFile(path.join(root, `${count}-list`, 'files', '3f', '.3f02.0a0a0a0a'), 'draft')
  const found: string[] = []
  for await (const { key, size } of folder.files.list()) found.push(key) && expect(size).toBe(key.length)
  expect(found).toEqual([...keys].sort(byKey))
})

test('a server takes no new files once they are elsewhere, and says so to who keeps it', async () => {
  const t = await testApp()
  try {
    expect(await t.app.storage.fault()).toBeNull()
    const store = await readFile(path.join(t.app.config.dataDir, 'files', '.store'), 'utf8')
    expect(isStill(await storeRow(t.db), { id: store, mode: 'local' })).toBe(true)
    await rename(path.join(t.app.config.dataDir, 'files'), path.join(t.app.config.dataDir, 'gone'))
    expect(await t.app.storage.fault()).toMatch(/in another folder/)
    await t.db.updateTable('file_store').set({ kind: 's3', place: 'https://s3.example.org/files' }).execute()
    expect(await t.app.storage.fault()).toMatch(/in https:\/\/s3.example.org\/files now/)
    await expect(t.app.storage.place(firstTenant)).rejects.toMatchObject({ code: 28010 })
  } finally {
    await t.close()
  }
})
