import { mkdtemp, rm } from 'node:fs/promises'
import { request as ask } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { pdf } from '../../../../tests/helper/crafted.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { type S3Server, s3Server } from '../../../../tests/helper/s3.ts'
import { isSignedAddressV4 } from '../../../../tests/helper/s3-signature.ts'
import { uploadAs } from '../../../../tests/helper/upload.ts'

let server: S3Server
let here: TestApp
let there: TestApp
let folder: string
let staff: Caller
let candidate: Caller
const prefix = 'exam/'
beforeAll(async () => {
  server = await s3Server()
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-there-'))
  const s3 = server.account(prefix)
  here = await testApp({ config: { s3 } })
  there = await testApp({ url: here.url, config: { s3, dataDir: folder } })
  staff = await signIn(here, { role: 'administrator' })
  candidate = await signIn(here, { role: 'candidate', userType: 3 })
})
afterAll(async () => {
  await there?.close()
  await here?.close()
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Announced {
  name?: string
  size?: number
  type?: string
  owner?: string
}

const sign = (t: TestApp, who: Caller, given: Announced) =>
  t.call<{ id: string; url: string }>({
    method: 'POST',
    url: '/api/blade-resource/attach/sign',
    headers: who.headers,
    payload: { name: 'a.pdf', size: 10, type: 'application/pdf', owner: 'signup', ...given },
  })
const arrived = (t: TestApp, who: Caller, id: string) =>
  t.call<{ attachId: string; originalName: string; size: number }>({
    method: 'POST',
    url: '/api/blade-resource/attach/arrived',
    headers: who.headers,
    payload: { id },
  })
/** Puts a file into the bucket. That of the tests fails now and then where another file of the folder is removed meanwhile. */
async function put(url: string, body: Buffer, type = 'application/pdf'): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status } = await fetch(url, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { 'content-type': type },
    })
    if (status !== 500 || tries === 3) return status
  }
}
const download = (t: TestApp, id: string, headers: Record<string, string> = {}, more = '') =>
  t.app.inject({ url: `/api/blade-resource/attach/download?id=${id}${more}`, headers })
const arriving = () => server.keys(`${prefix}in/`)
const kept = () => server.keys(`${prefix}keep/`)
const waiting = async () => (await here.pool.query('SELECT id FROM file_arrival')).rows.length
const paper = (text: string) => pdf(`% ${text}`)

/** Sends a file as a page does. */
async function send(t: TestApp, who: Caller, bytes: Buffer, given: Announced = {}) {
  const type = given.type ?? 'application/pdf'
  const { data, code } = await sign(t, who, { size: bytes.length, ...given, type })
  if (code !== 200) return { code, data: undefined }
  expect(await put(data.url, bytes, type)).toBe(200)
  return arrived(t, who, data.id)
}

describe('a file that the browser puts into the bucket', () => {
  test('is read at the other server: a hundred of a hundred, both ways', async () => {
    let same = 0
    const one = async (i: number) => {
      const [from, to] = i % 2 ? [here, there] : [there, here]
      const bytes = paper(`paper ${i}`)
      const { data } = await send(from, candidate, bytes, { name: `材料 ${i}.pdf` })
      const answer = await download(to, data!.attachId, candidate.headers)
      if (answer.rawPayload.equals(bytes) && data!.originalName === `材料 ${i}.pdf`) same++
    }
    for (let i = 0; i < 100; i += 10) await Promise.all(Array.from({ length: 10 }, (_, k) => one(i + k)))
    expect(same).toBe(100)
    expect([await arriving(), await waiting()]).toEqual([[], 0])
    // No byte of them came through the server.
    const puts = server.met.filter(line => line.startsWith(`PUT /files/${prefix}in/`))
    expect(new Set(puts).size).toBe(100)
  })

  test('is looked at as any upload: pictures are encoded anew, and the answer is that of an upload', async () => {
    const picture = await sharp({ create: { width: 90, height: 80, channels: 3, background: '#48c' } })
      .withExif({ IFD0: { Artist: 'SECRET-ARTIST' } })
      .jpeg()
      .toBuffer()
    const { data } = await send(here, candidate, picture, { name: '照片.jpg', type: 'image/jpeg', owner: 'card' })
    expect(data).toMatchObject({
      originalName: '照片.jpg',
      contentType: 'image/jpeg',
      width: 90,
      height: 80,
      domain: '',
    })
    const { rawPayload } = await download(there, data!.attachId, candidate.headers)
    expect(rawPayload.includes('SECRET-ARTIST')).toBe(false)
    expect((await download(there, data!.attachId, staff.headers)).statusCode).toBe(200)
    const { headers } = await signIn(here, { role: 'candidate', userType: 3 })
    expect((await download(there, data!.attachId, headers)).statusCode).toBe(404)
  })

  test('is what was looked at, also when another is put there at the same time', async () => {
    const [good, bad] = [paper('good'), pdf('<< /S /Launch /F (cmd.exe) >>')]
    const size = Math.max(good.length, bad.length)
    const filled = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length, '\n')])
    const { data } = await sign(here, candidate, { size })
    await put(data.url, filled(good))
    const get = here.app.storage.arrivals!.get
    here.app.storage.arrivals!.get = async name => {
      const bytes = await get(name)
      expect(await put(data.url, filled(bad))).toBe(200)
      return bytes
    }
    const { data: stored } = await arrived(here, candidate, data.id).finally(() => {
      here.app.storage.arrivals!.get = get
    })
    expect((await download(there, stored.attachId, candidate.headers)).rawPayload.equals(filled(good))).toBe(true)
  })

  test('that was not sent yet may still come; said twice it is one file', async () => {
    const bytes = paper('late')
    const { data } = await sign(here, candidate, { size: bytes.length })
    expect(await arrived(here, candidate, data.id)).toMatchObject({
      code: 29005,
      msg: expect.stringContaining('没有传完'),
    })
    await put(data.url, bytes)
    const before = (await kept()).length
    const both = await Promise.all([arrived(here, candidate, data.id), arrived(there, candidate, data.id)])
    expect(both.map(one => one.code).toSorted()).toEqual([200, expect.toBeOneOf([28009, 29006])])
    expect((await kept()).length).toBe(before + 1)
    expect((await arrived(here, candidate, data.id)).code).toBe(28009)
    expect(await arriving()).toEqual([])
  })

  test('is looked at again after a process has died over it', async () => {
    const bytes = paper('died')
    const { data } = await sign(here, candidate, { size: bytes.length })
    await put(data.url, bytes)
    await here.pool.query(`UPDATE file_arrival SET "takenUntil" = clock_timestamp() + interval '1 minute'`)
    expect((await arrived(here, candidate, data.id)).code).toBe(29006)
    await here.pool.query(`UPDATE file_arrival SET "takenUntil" = clock_timestamp() - interval '1 second'`)
    expect((await arrived(there, candidate, data.id)).code).toBe(200)
  })
})

describe('an address for an upload', () => {
  /** A request whose length is what it says, whatever it sends. */
  const raw = (url: string, method: string, headers: Record<string, string>, body: Buffer) =>
    new Promise<number>(resolve => {
      const { hostname, port, pathname, search } = new URL(url)
      const sent = ask({ hostname, port, method, path: pathname + search, headers }, answer => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', () => resolve(-1))
      sent.end(body)
    })

  test('takes nothing but what it was given for', async () => {
    const bytes = paper('signed')
    const { data } = await sign(here, candidate, { size: bytes.length })
    const { url, id } = data
    const longer = Buffer.concat([bytes, Buffer.from('more')])
    const type = { 'content-type': 'application/pdf' }
    const other = new URL(url)
    other.pathname = other.pathname.replace(/[^/]+$/, 'f'.repeat(32))
    const keep = new URL(url)
    keep.pathname = keep.pathname.replace('/in/', '/keep/')
    const unsigned = url.split('?')[0]!
    const said = { ...type, 'content-length': String(bytes.length) }
    const attacks = {
      longer: await put(url, longer),
      shorter: await put(url, bytes.subarray(1)),
      'in pieces': await raw(url, 'PUT', { ...type, 'transfer-encoding': 'chunked' }, longer),
      'another type': await put(url, bytes, 'text/html'),
      'another key': await put(other.href, bytes),
      'a kept file': await put(keep.href, bytes),
      unsigned: await put(unsigned, bytes),
      read: (await fetch(url)).status,
      removed: (await fetch(url, { method: 'DELETE' })).status,
      'with more time': await put(url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'), bytes),
    }
    expect(attacks).toEqual(Object.fromEntries(Object.keys(attacks).map(name => [name, 403])))
    server.setClock(new Date(Date.now() + 301_000))
    expect(await raw(url, 'PUT', said, bytes)).toBe(403)
    server.setClock()
    expect(await arriving()).toEqual([])
    // What was refused has taken nothing from the right one.
    expect(await raw(url, 'PUT', said, bytes)).toBe(200)
    expect((await arrived(here, staff, id)).code).toBe(28009)
    expect((await arrived(here, candidate, id)).code).toBe(200)
  })

  test('is refused for what would be refused anyway', async () => {
    const codes = async (who: Caller, given: Announced) => (await sign(here, who, given)).code
    expect({
      kind: await codes(candidate, { name: 'a.exe' }),
      heic: (await sign(here, candidate, { name: 'IMG_1.HEIC', type: 'image/heic' })).msg,
      large: await codes(candidate, { size: 5121 * 1024 }),
      empty: await codes(candidate, { size: 0 }),
      notice: await codes(candidate, { owner: 'notice' }),
      type: await codes(candidate, { type: 'text/html\r\nx: y' }),
      unknown: await codes(candidate, { owner: 'anything' }),
    }).toEqual({
      kind: 28001,
      heic: expect.stringContaining('兼容性最佳'),
      large: 28002,
      empty: 29005,
      notice: 403,
      type: 29005,
      unknown: 29005,
    })
    expect((await here.call({ method: 'POST', url: '/api/blade-resource/attach/sign', payload: {} })).status).toBe(401)
  })

  test('counts against the day when it is given', async () => {
    const { headers, userId } = await signIn(here, { role: 'candidate', userType: 3 })
    const who = { ...candidate, headers, userId }
    await here.pool.query(`UPDATE param SET "paramValue" = '4' WHERE "paramKey" = 'upload.dailyMB'`)
    const codes: number[] = []
    for (let i = 0; i < 4; i++) codes.push((await sign(here, who, { size: 1_258_291 })).code)
    await here.pool.query(`UPDATE param SET "paramValue" = '2000' WHERE "paramKey" = 'upload.dailyMB'`)
    expect(codes).toEqual([200, 200, 200, 28011])
  })

  test('is signed as the specification has it', () => {
    // The example of the specification: a presigned GET.
    const url =
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
    const request = { method: 'GET', url, headers: { host: 'examplebucket.s3.amazonaws.com' } }
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
    expect(isSignedAddressV4(request, secret, new Date('2013-05-24T12:00:00Z'))).toBe(true)
    expect(isSignedAddressV4(request, secret, new Date('2013-05-25T12:00:00Z'))).toBe(false)
    expect(isSignedAddressV4(request, 'another', new Date('2013-05-24T12:00:00Z'))).toBe(false)
  })
})

test('wrong bytes are removed with the reason of any upload, and leave nothing on the way in', async () => {
  const before = await kept()
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  expect(
    await Promise.all([
      send(here, candidate, html, { name: 'a.pdf' }),
      send(there, candidate, html, { name: 'a.jpg', type: 'image/jpeg' }),
      send(here, candidate, pdf('<< /S /JavaScript /JS (app.alert(1)) >>')),
      send(here, staff, html, { name: 'a.xlsx', owner: 'task', type: 'application/octet-stream' }),
    ]).then(all => all.map(one => one.code)),
  ).toEqual([28003, 28003, 28003, 28003])
  expect([await arriving(), await waiting(), await kept()]).toEqual([[], expect.any(Number), before])
  // Left are only those that were never sent.
  await here.pool.query(`DELETE FROM file_arrival WHERE size IN (10, 1258291)`)
  const { rows } = await here.pool.query('SELECT filename FROM file_arrival')
  expect(rows).toEqual([])
})

test('what never arrives, or comes too late, is gone after a day', async () => {
  const bytes = paper('forgotten')
  const [never, unread] = [
    await sign(here, candidate, { size: 10 }),
    await sign(here, candidate, { size: bytes.length }),
  ]
  await put(unread.data.url, bytes)
  // One that was looked at and is put there once more.
  const again = await sign(here, candidate, { size: bytes.length })
  await put(again.data.url, bytes)
  expect((await arrived(here, candidate, again.data.id)).code).toBe(200)
  await put(again.data.url, bytes)
  expect((await arriving()).length).toBe(2)
  await here.app.jobs.run('arrival-purge')
  expect([(await arriving()).length, await waiting()]).toEqual([2, 2])
  here.setNow(new Date(Date.now() + 25 * 3_600_000))
  try {
    await here.app.jobs.run('arrival-purge')
  } finally {
    here.setNow(undefined as never)
  }
  expect([await arriving(), await waiting()]).toEqual([[], 0])
  expect((await arrived(here, candidate, never.data.id)).code).toBe(28009)
})

describe('a file that is taken', () => {
  test('is given by the bucket to who follows a link, and by the server to who sends headers or shows it', async () => {
    const bytes = paper('taken')
    const { data } = await send(here, candidate, bytes, { name: '材料.pdf' })
    const id = data!.attachId
    const address = await here.call<{ url: string }>({
      url: `/api/blade-resource/attach/address?id=${id}`,
      headers: candidate.headers,
    })
    const linked = await there.app.inject(address.data.url)
    expect([linked.statusCode, linked.headers['cache-control']]).toEqual([302, 'no-store'])
    const given = await fetch(String(linked.headers.location))
    expect(Buffer.from(await given.arrayBuffer()).equals(bytes)).toBe(true)
    expect(given.headers.get('content-type')).toBe('application/pdf')
    expect(given.headers.get('content-disposition')).toMatch(/^attachment; .*%E6%9D%90%E6%96%99\.pdf$/)
    server.setClock(new Date(Date.now() + 301_000))
    expect((await fetch(String(linked.headers.location))).status).toBe(403)
    server.setClock()
    expect((await download(there, id, candidate.headers)).statusCode).toBe(200)
    const shown = await there.app.inject(address.data.url.replace('inline=0', 'inline=1'))
    expect([shown.statusCode, shown.headers['content-disposition']]).toEqual([200, expect.stringMatching(/^inline/)])
    expect((await download(there, id)).statusCode).toBe(404)
    const other = await signIn(here, { role: 'candidate', userType: 3 })
    expect((await here.call({ url: `/api/blade-resource/attach/address?id=${id}`, headers: other.headers })).code).toBe(
      28009,
    )
    expect((await there.app.inject(address.data.url.replace(/sig=./, 'sig=_'))).statusCode).toBe(404)
  })

  test('pages may reach the bucket, and know that they can', async () => {
    const page = await here.app.inject('/api/public/site')
    expect(page.headers['content-security-policy']).toContain(`connect-src 'self' ${server.endpoint};`)
    expect(page.json().data).toMatchObject({ directUploads: true })
  })
})

test('without a bucket the address is not given, and a tenant with storage of its own goes on', async () => {
  const plain = await testApp()
  try {
    const who = await signIn(plain, { role: 'administrator' })
    expect(await sign(plain, who, { owner: 'task' })).toMatchObject({ code: 200, data: {} })
    expect((await plain.call('/api/public/site')).data).not.toHaveProperty('directUploads')
    const url = '/api/blade-resource/attach/upload?owner=task'
    const { data } = await uploadAs(plain, who, url, { name: 'a.pdf', bytes: paper('plain') })
    const address = await plain.call<{ url: string }>({
      url: `/api/blade-resource/attach/address?id=${data.attachId}`,
      headers: who.headers,
    })
    const answer = await plain.app.inject(address.data.url)
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/^attachment/),
    ])
  } finally {
    await plain.close()
  }
  const values = { ossCode: 'own', category: 1, endpoint: server.endpoint, bucketName: 'files', ossStatus: 1 }
  const sealed = here.app.vault.seal('S3RVER')
  await here.db
    .insertInto('oss')
    .values({ ...values, tenantId: '000000', accessKey: sealed, secretKey: sealed } as never)
    .execute()
  expect(await sign(here, staff, { owner: 'task' })).toMatchObject({ code: 200, data: {} })
  await here.db.deleteFrom('oss').where('ossCode', '=', 'own').execute()
})
