import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '../../src/platform/config/config.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { pdf } from '../helper/crafted.ts'
import { type S3Server, s3Server } from '../helper/s3.ts'
import { add, choose, fill, save } from './controls.ts'
import { downloaded, give } from './sheet.ts'
import { fieldNamed } from './words.ts'
import { openWorld, signIn, type World } from './world.ts'

// Two servers with a folder each and one bucket: what is put at one is there at the other, and no byte of it goes through either.

let bucket: S3Server
let world: World
let other: TestApp
let otherUrl: string
let folder: string
beforeAll(async () => {
  bucket = await s3Server()
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-other-'))
  const s3 = bucket.account('exam')
  world = await openWorld({ config: { s3 } })
  other = await testApp({ url: world.t.url, config: { s3, dataDir: folder } })
  otherUrl = await other.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await other?.close()
  await world?.close()
  await bucket?.close()
  await rm(folder, { recursive: true, force: true })
})

const paper = pdf('% a notice for everybody')

test('staff puts a file into the bucket, and anybody takes it at the other server', async () => {
  const { page, complaints } = await world.open('desk')
  await signIn(world, page, 'admin', demoPassword)
  await page.goto('/notice/files')
  const form = await add(page, '文件资源')
  await fill(form, { 文件名称: '考生须知' })
  await choose(page, form, { 分类: '表格下载' })
  await give(page, form.getByRole('button', { name: fieldNamed('附件') }), '考生须知.pdf', paper)
  await page.getByText('考生须知.pdf').waitFor()
  // The one who has put it saves it again, by a link with a signature.
  const own = await downloaded(page, page.getByRole('button', { name: /考生须知\.pdf/ }))
  expect([own.name, own.bytes.equals(paper)]).toEqual(['考生须知.pdf', true])
  await save(page, form)
  await expect.poll(async () => (await world.t.pool.query('SELECT id FROM files')).rows.length).toBe(1)
  await world.t.pool.query('UPDATE files SET "filesStatus" = 1')
  const puts = bucket.met.filter(line => line.startsWith('PUT /files/exam/in/'))
  expect([puts.length, await bucket.keys('exam/in/'), (await bucket.keys('exam/keep/')).length]).toEqual([1, [], 1])

  const visitor = await world.open('phone', { baseURL: otherUrl })
  await visitor.page.goto('/public/files')
  const found = await downloaded(visitor.page, visitor.page.getByRole('link', { name: /考生须知/ }))
  expect([found.name, found.bytes.equals(paper)]).toEqual(['考生须知.pdf', true])
  expect(bucket.met.filter(line => line.startsWith('GET /files/exam/keep/'))).toHaveLength(2)
  expect([complaints, visitor.complaints]).toEqual([[], []])
  await expect(readFile(path.join(folder, 'files', '.store'))).rejects.toMatchObject({ code: 'ENOENT' })
})
