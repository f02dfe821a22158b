import { access } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { News } from '#schemas/notices/news'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { uploadAs } from '../../../../tests/helper/upload.ts'
import type { Trx } from '../../database/database.ts'
import { liveAs } from '../../http/server/live.ts'
import { claimFiles } from './claim.ts'
import { purgeFiles } from './purge.ts'

let t: TestApp
let staff: Caller
let bytes: Buffer
beforeAll(async () => {
  t = await testApp({ now: '2026-12-02 10:00:00' })
  staff = await signIn(t, { role: 'administrator' })
  bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#555' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => t?.close())

async function upload(): Promise<string> {
  await stayLoggedIn(t)
  const answer = await uploadAs(t, staff, '/api/blade-resource/attach/upload?owner=notice', { name: 'a.jpg', bytes })
  return String(answer.data.attachId)
}
const later = (hours: number) => t.setNow(new Date(t.app.now().getTime() + hours * 3_600_000))
const rowOf = (id: string) => t.db.selectFrom('attach').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const isThere = async (id: string) => (await rowOf(id)).isDeleted === 0
const hasBytes = (key: string) =>
  access(path.join(t.app.config.dataDir, 'files', key)).then(
    () => true,
    () => false,
  )
const claim = (trx: Trx, id: string) =>
  claimFiles(liveAs(t.app, staff, trx), staff, [id], {
    owner: 'notice',
    ownerId: '1',
    visible: 3,
  })

test('uploads that nothing uses go after a week, and their bytes a day later', async () => {
  const [unused, claimed, cover] = [await upload(), await upload(), await upload()]
  const [shown, portrait, twin] = [await upload(), await upload(), await upload()]
  const address = `<p><img src="/api/blade-resource/attach/download?id=${shown}"></p>`
  await insert(t.app, News, { cover, content: address })
  await t.db.transaction().execute(trx => claim(trx, claimed))
  await t.db.updateTable('user').set({ avatar: portrait }).where('id', '=', staff.userId).execute()
  const { name } = await rowOf(unused)
  // Another file may show the same bytes.
  await t.db
    .updateTable('attach')
    .set({ name: (await rowOf(claimed)).name })
    .where('id', '=', twin)
    .execute()
  later(167)
  expect(await purgeFiles(t.app)).toEqual({ unused: 0, bytes: 0 })
  later(1.1)
  expect(await purgeFiles(t.app)).toEqual({ unused: 2, bytes: 0 })
  expect([await isThere(unused), await isThere(twin), await hasBytes(name)]).toEqual([false, false, true])
  for (const id of [claimed, cover, shown, portrait]) expect(await isThere(id)).toBe(true)
  later(24.1)
  expect(await purgeFiles(t.app)).toEqual({ unused: 0, bytes: 2 })
  expect([await hasBytes(name), await hasBytes((await rowOf(claimed)).name)]).toEqual([false, true])
  expect(await purgeFiles(t.app)).toEqual({ unused: 0, bytes: 0 })
})

test('one that is claimed in the same moment stays', async () => {
  const id = await upload()
  later(169)
  let purging: Promise<unknown> | undefined
  await t.db.transaction().execute(async trx => {
    await claim(trx, id)
    purging = purgeFiles(t.app)
    await new Promise(resolve => setTimeout(resolve, 200))
  })
  await purging
  expect(await isThere(id)).toBe(true)
})

test('one whose storage is down waits for it, and holds up no other', async () => {
  const [stuck, free] = [await upload(), await upload()]
  await t.db.updateTable('attach').set({ name: 'oss-1/aa/bb.jpg' }).where('id', '=', stuck).execute()
  later(169)
  expect(await purgeFiles(t.app)).toMatchObject({ unused: 2 })
  later(25)
  expect(await purgeFiles(t.app)).toEqual({ unused: 0, bytes: 1 })
  expect([(await rowOf(stuck)).name, (await rowOf(free)).name]).toEqual(['oss-1/aa/bb.jpg', ''])
})
