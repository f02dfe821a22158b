import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { type S3Server, s3Server } from '../../../../tests/helper/s3.ts'
import { isSignedV4 } from '../../../../tests/helper/s3-signature.ts'
import { uploadAs } from '../../../../tests/helper/upload.ts'
import { newKey, type Storage } from './index.ts'
import { s3Storage } from './s3.ts'

let server: S3Server
let t: TestApp
let admin: Caller
beforeAll(async () => {
  server = await s3Server()
  t = await testApp()
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  await t?.close()
  await server?.close()
})

const mega = 1024 * 1024
const keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' }
const at = (more: object = {}): Storage =>
  s3Storage({ endpoint: server.endpoint, bucket: 'files', region: 'us-east-1', style: 'path', ...keys, ...more })
const read = async (stream: Readable) => Buffer.concat(await stream.toArray())

/** A source that counts how much of it was taken. */
function counted(bytes: Buffer, piece = mega) {
  let taken = 0
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += piece) {
      taken += piece
      yield bytes.subarray(from, from + piece)
    }
  }
  return { source: Readable.from(pieces(), { objectMode: false }), taken: () => taken }
}

describe('a bucket', () => {
  it('is guarded, in these tests, by signatures as their inventor computes them', () => {
    // The example of the specification: GET Object.
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    }
    const request = { method: 'GET', url: '/test.txt', headers }
    expect(isSignedV4(request, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(true)
    expect(isSignedV4(request, 'another')).toBe(false)
  })

  it('keeps, gives, replaces and forgets', async () => {
    const [storage, key] = [at(), newKey('pdf')]
    await storage.put(key, Buffer.from('一'))
    await storage.put(key, Buffer.from('二'))
    expect([(await storage.get(key)).toString(), (await read(storage.open(key))).toString()]).toEqual(['二', '二'])
    expect(await server.keys()).toEqual([key])
    await storage.remove(key)
    await storage.remove(key)
    await expect(storage.get(key)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(read(storage.open(key))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(storage.put('../x', Buffer.from('x'))).rejects.toThrow('not a storage key')
  })

  it.each([0, 1, 8 * mega, 20 * mega + 7])('takes a stream of %i bytes', async size => {
    const [storage, key, bytes] = [at(), newKey(), randomBytes(size)]
    await storage.putStream(key, counted(bytes, 700_001).source)
    expect((await storage.get(key)).equals(bytes)).toBe(true)
    await storage.remove(key)
  })

  it('leaves nothing of a stream that breaks off', async () => {
    const [storage, key] = [at(), newKey()]
    async function* broken() {
      yield randomBytes(17 * mega)
      throw new Error('the source broke off')
    }
    await expect(storage.putStream(key, Readable.from(broken()))).rejects.toThrow('broke off')
    expect((await server.keys()).filter(name => name.includes(key))).toEqual([])
  })

  it('that does not answer takes no more of a stream than one part', async () => {
    const { source, taken } = counted(randomBytes(40 * mega))
    await expect(at({ secretKey: 'wrong' }).putStream(newKey(), source)).rejects.toThrow('secretKey不正确')
    expect(taken()).toBeLessThan(12 * mega)
    expect(source.destroyed).toBe(true)
  })

  it.each([
    [{ secretKey: 'S3RVEr' }, 'secretKey不正确'],
    [{ accessKey: 'nobody' }, 'accessKey不正确'],
    [{ bucket: 'missing' }, '空间不存在'],
    [{ endpoint: 'http://127.0.0.1:9' }, '无法连接存储服务器'],
  ])('says in words what is wrong with %j', async (wrong, words) => {
    await expect(at(wrong).put(newKey(), Buffer.from('x'))).rejects.toMatchObject({
      name: 'StorageError',
      message: words,
    })
  })

  it('is not followed to another address', async () => {
    const key = newKey()
    await at().put(key, Buffer.from('inside'))
    const elsewhere = createServer((_request, response) => {
      response.writeHead(302, { location: `${server.endpoint}/files/${key}` }).end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const endpoint = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    await expect(at({ endpoint }).get(key)).rejects.toThrow('无法连接存储服务器')
    elsewhere.close()
    await at().remove(key)
  })

  it('is asked again when it cannot answer, three times at most, and once for what must not be done twice', async () => {
    const met: string[] = []
    let failures = 2
    const busy = createServer((request, response) => {
      met.push(request.method ?? '')
      request.resume().on('end', () => response.writeHead(failures-- > 0 ? 503 : 204, { etag: '"e"' }).end())
    }).listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const there = at({ endpoint: `http://127.0.0.1:${(busy.address() as AddressInfo).port}` })
    await there.remove('a/b')
    expect(met).toEqual(['DELETE', 'DELETE', 'DELETE'])
    met.length = 0
    failures = 3
    await expect(there.put('a/b', randomBytes(10))).rejects.toThrow('存储服务器返回503')
    expect(met).toEqual(['PUT', 'PUT', 'PUT'])
    met.length = 0
    failures = 1
    await expect(there.putStream('a/b', Readable.from([randomBytes(9 * mega)]))).rejects.toThrow('503')
    expect(met[0]).toBe('POST')
    expect(met.filter(method => method === 'POST')).toHaveLength(1)
    busy.close()
  })
})

const base = '/blade-resource/oss'
const remote = () => ({ category: 1, endpoint: server.endpoint, bucketName: 'files', ...keys })
const allow = (hosts: string) =>
  t.db.updateTable('param').set({ paramValue: hosts }).where('paramKey', '=', 'oss.hosts').execute()

async function settings(values: object): Promise<string> {
  const { data } = await asCaller(t, admin).post<{ id: string }>(`${base}/submit`, values)
  if (data.id) return data.id
  const { rows } = await t.pool.query('SELECT max(id)::text AS id FROM oss')
  return rows[0].id
}

const picture = () =>
  sharp({ create: { width: 60, height: 80, channels: 3, background: '#48c' } })
    .jpeg()
    .toBuffer()

async function put(app: TestApp): Promise<{ attachId: string; code: number }> {
  const url = '/api/blade-resource/oss/endpoint/put-file'
  const answer = await uploadAs(app, admin, url, { name: '身份证 正面.jpg', bytes: await picture() })
  return { attachId: String(answer.data.attachId ?? ''), code: answer.code }
}

const fetch = (app: TestApp, id: string) =>
  app.app.inject({ url: `/api/blade-resource/attach/download?id=${id}`, headers: admin.headers })

describe('the storage of a tenant', () => {
  it('is one whose host was allowed, and that has just kept a file', async () => {
    const { post } = asCaller(t, admin)
    expect(await post(`${base}/submit`, { ...remote(), ossCode: 'x' })).toMatchObject({ code: 29005 })
    await allow(server.host)
    for (const endpoint of [
      `${server.endpoint}/other`,
      'http://169.254.169.254',
      `http://u:p@${server.host}`,
      'ftp://x',
    ])
      expect(await post(`${base}/submit`, { ...remote(), ossCode: 'x', endpoint })).toMatchObject({ code: 29005 })
    const wrong = await settings({ ...remote(), ossCode: 'wrong', secretKey: 'nonsense' })
    for (const path of ['enable', 'debug'])
      expect(await post(`${base}/${path}?id=${wrong}`, { text: 'x' })).toMatchObject({
        code: 28010,
        msg: '文件存储暂不可用：secretKey不正确',
      })
    const right = await settings({ ...remote(), ossCode: 'right' })
    expect(await post(`${base}/debug?id=${right}`, { text: '测试' })).toMatchObject({
      data: { message: expect.stringContaining('读写正常') },
    })
    expect(await server.keys()).toEqual([])
    await allow('-')
    // What the server may reach is the installation's to say, not a tenant's.
    await t.db
      .insertInto('param')
      .values({ tenantId: '000777', paramKey: 'oss.hosts', paramName: 'x', paramValue: server.host })
      .execute()
    await t.db.updateTable('oss').set({ tenantId: '000777' }).where('id', '=', right).execute()
    await expect(t.app.storage.store(right)).rejects.toThrow('oss.hosts')
    await t.db.updateTable('oss').set({ tenantId: '000000' }).where('id', '=', right).execute()
    expect(await post(`${base}/enable?id=${right}`)).toMatchObject({ msg: expect.stringContaining('oss.hosts') })
    await allow(server.host)
  })

  it('changes for all servers at once, and old files stay readable where they are', async () => {
    const second = await testApp({ url: t.url, config: { dataDir: t.app.config.dataDir } })
    try {
      const { post } = asCaller(t, admin)
      const here = await put(t)
      const id = await settings({ ...remote(), ossCode: 'store' })
      expect((await post(`${base}/enable?id=${id}`)).code).toBe(200)
      const before = await server.keys()
      const there = await put(second)
      const [kept] = (await server.keys()).filter(key => !before.includes(key))
      const row = await t.db.selectFrom('attach').selectAll().where('id', '=', there.attachId).executeTakeFirstOrThrow()
      expect([row.ossCode, row.originalName]).toEqual(['store', '身份证 正面.jpg'])
      expect(row.name).toBe(`oss-${id}/${kept}`)
      expect((await post(`${base}/disable?id=${id}`)).code).toBe(200)
      const last = await put(second)
      expect(await server.keys()).toHaveLength(before.length + 1)
      for (const app of [t, second])
        for (const { attachId } of [here, there, last]) {
          const answer = await fetch(app, attachId)
          expect([answer.statusCode, (await sharp(answer.rawPayload).metadata()).width]).toEqual([200, 60])
          expect(answer.headers['content-disposition']).toContain(encodeURIComponent('身份证 正面.jpg'))
        }
      expect((await post(`${base}/remove?ids=${id}`)).code).toBe(29003)
      expect(await post(`${base}/submit`, { id, bucketName: 'elsewhere' })).toMatchObject({ code: 29005 })
      expect((await post(`${base}/submit`, { id, remark: 'x' })).code).toBe(200)
    } finally {
      await second.close()
    }
  })

  it('that is down is a clear answer, and nothing is half done', async () => {
    const id = await settings({ ...remote(), ossCode: 'down' })
    await asCaller(t, admin).post(`${base}/enable?id=${id}`)
    const kept = await put(t)
    const count = async () =>
      (await t.pool.query('SELECT count(*)::int AS n FROM attach WHERE "isDeleted" = 0')).rows[0].n
    const before = await count()
    await server.stop()
    expect((await put(t)).code).toBe(28010)
    const answer = await fetch(t, kept.attachId)
    expect(answer.json()).toMatchObject({ code: 28010, msg: '文件存储暂不可用：请稍后再试' })
    expect(await count()).toBe(before)
    await server.start()
    expect((await fetch(t, kept.attachId)).statusCode).toBe(200)
    expect((await put(t)).code).toBe(200)
  })
})
