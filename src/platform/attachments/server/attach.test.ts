import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../../../tests/helper/app.ts'
import type { Caller } from '../../../../tests/helper/person.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { applicant, makeExam, reviewer, signApp, submit, times } from '../../../../tests/helper/sign-bench.ts'

let t: TestApp
let jpeg: Buffer
beforeAll(async () => {
  t = await signApp()
  const exif = { IFD0: { Copyright: 'secret place' } }
  const blank = { create: { width: 600, height: 800, channels: 3 as const, background: '#88a' } }
  jpeg = await sharp(blank).withExif(exif).jpeg().toBuffer()
})
afterAll(() => t.close())

const base = '/api/blade-resource'

function send(who: Caller, owner: string, bytes: Buffer, filename = '证件照.jpg', more = '', type = 'image/jpeg') {
  const boundary = 'x-boundary-x'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { ...who.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const url = owner.startsWith('/') ? owner : `${base}/attach/upload?owner=${owner}${more}`
  return t.call<{ attachId: string; link: string; extension: string; width?: number; originalName: string }>({
    method: 'POST',
    url,
    headers,
    payload,
  })
}

const fetch = (who: Caller | null, id: string, more = '') =>
  t.app.inject({ url: `${base}/attach/download?id=${id}${more}`, headers: who?.headers ?? {} })

describe('uploads', () => {
  it('keeps a photo cropped, without what the camera wrote, under a random name', async () => {
    const who = await applicant(t)
    const { data, code } = await send(who, 'photo', jpeg, '../../我的 照片.JPG')
    expect([code, data.extension, data.width, data.originalName]).toEqual([200, 'jpg', 295, '我的 照片.JPG'])
    const file = await fetch(who, data.attachId)
    expect(file.rawPayload.includes('secret place')).toBe(false)
    expect(await sharp(file.rawPayload).metadata()).toMatchObject({ width: 295, height: 413 })
    expect(file.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-type': 'image/jpeg' })
    expect(file.headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent('我的 照片.JPG')}`)
    expect(file.headers['cache-control']).toContain('private')
    const small = await fetch(who, data.attachId, '&w=50&inline=1')
    expect((await sharp(small.rawPayload).metadata()).width).toBe(50)
    expect(small.headers['content-disposition']).toMatch(/^inline/)
    expect(small.headers['content-security-policy']).toContain('sandbox')
  })

  const pdf = (inside: string) => Buffer.from(`%PDF-1.4\n1 0 obj\n<< ${inside} >>\nendobj\n%%EOF\n`)
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const tail = () => Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')])
  it.each<[string, () => Buffer, string, number]>([
    ['HTML as a picture', () => html, 'a.jpg', 28003],
    ['a program as a picture', () => Buffer.from('MZ\x90\0'), 'a.png', 28003],
    ['SVG', () => svg, 'a.svg', 28001],
    ['HTML', () => html, 'a.html', 28001],
    ['no ending', () => jpeg, 'photo', 28001],
    ['two endings', () => jpeg, 'a.jpg.exe', 28001],
    ['a picture called PDF', () => jpeg, 'a.pdf', 28003],
    ['half a picture', () => jpeg.subarray(0, 300), 'a.jpg', 28003],
    ['a PDF with a script', () => pdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'), 'a.pdf', 28003],
    ['a PDF that starts programs', () => pdf('/A << /S /Launch /F (cmd.exe) >>'), 'a.pdf', 28003],
    ['a PDF with files inside', () => pdf('/EmbeddedFiles 2 0 R /EmbeddedFile 3 0 R'), 'a.pdf', 28003],
    ['nothing', () => Buffer.alloc(0), 'a.jpg', 28003],
    ['too much', () => Buffer.concat([jpeg, Buffer.alloc(6 * 1024 * 1024)]), 'a.jpg', 28002],
  ])('refuses %s', async (_, bytes, name, code) => {
    const who = await applicant(t)
    expect((await send(who, 'signup', bytes(), name)).code).toBe(code)
  })

  it('cuts off what hangs behind a picture, and refuses a bomb of pixels', async () => {
    const who = await applicant(t)
    const { data } = await send(who, 'signup', tail(), 'a.jpg')
    expect((await fetch(who, data.attachId)).rawPayload.includes('script')).toBe(false)
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect((await send(who, 'signup', bomb, 'a.png', '', 'image/png')).code).toBe(28004)
  })

  it("keeps to the limits of its kind and of the exam's own slot", async () => {
    const who = await applicant(t)
    const { exam } = await makeExam(t)
    const noise = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    expect(noise.length).toBeGreaterThan(500 * 1024)
    expect((await send(who, 'avatar', noise, 'a.png')).code).toBe(28002)
    expect((await send(who, `${base}/oss/endpoint/put-file`, noise, 'a.png')).code).toBe(28002)
    expect((await send(who, `${base}/oss/endpoint/put-file-attach`, jpeg)).data.link).toMatch(/^\/api\/blade-resource/)
    expect((await send(who, 'signup', noise, 'a.png')).code).toBe(200)
    expect((await send(who, 'signup', noise, 'a.png', `&examId=${exam.id}&fileCode=degree`)).code).toBe(28002)
    expect((await send(who, 'notice', jpeg)).status).toBe(403)
    expect((await send(who, 'whatever', jpeg)).code).toBe(29005)
    const staff = await signIn(t, { role: 'exam_admin' })
    expect((await send(staff, 'notice', jpeg)).code).toBe(200)
  })
})

describe('downloads', () => {
  it('open for the owner and whoever may see the sign-up; for everybody else the file is not there', async () => {
    const { exam } = await makeExam(t)
    const [who, other] = [await applicant(t), await applicant(t)]
    const photo = (await send(who, 'photo', jpeg)).data.attachId
    await submit(t, who, exam.id, { files: [{ fileCode: 'photo', list: [{ attachId: photo }] }] })
    const [mine, stranger] = [await reviewer(t, exam.id, 2), await reviewer(t, exam.id, 2, { units: 'u9' })]
    const missing = await fetch(other, '4242')
    for (const person of [other, stranger, null]) {
      const answer = await fetch(person, photo)
      expect([answer.statusCode, answer.body]).toEqual([missing.statusCode, missing.body])
    }
    for (const person of [who, mine]) expect((await fetch(person, photo)).statusCode).toBe(200)
    const detail = (person: Caller) => t.call({ url: `${base}/attach/detail?id=${photo}`, headers: person.headers })
    expect(await detail(who)).toMatchObject({ code: 200, data: { originalName: '证件照.jpg' } })
    expect((await detail(other)).code).toBe(28009)
    const keeper = await signIn(t, { permissions: ['attach', 'attach_view', 'attach_delete'] })
    expect((await detail(keeper)).code).toBe(200)
    expect((await fetch(keeper, photo)).statusCode).toBe(404)
    const removed = await t.call({ method: 'POST', url: `${base}/attach/remove?ids=${photo}`, headers: keeper.headers })
    expect(removed.code).toBe(29003)
  })

  it('open by a signed link for five minutes and for that file only', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const photo = (await send(who, 'photo', jpeg)).data.attachId
    await submit(t, who, exam.id, { files: [{ fileCode: 'photo', list: [{ attachId: photo }] }] })
    const page = await t.call<{ mySignup: { files: { list: { url: string }[] }[] } }>({
      url: `/api/blade-signup/signup/getExamInfoOrSignUpInfo?examId=${exam.id}`,
      headers: who.headers,
    })
    const { url } = page.data.mySignup.files[0]!.list[0]!
    const open = (address: string) => t.app.inject(address).then(answer => answer.statusCode)
    expect(await open(url)).toBe(200)
    const another = (await send(who, 'photo', jpeg)).data.attachId
    expect(await open(url.replace(photo, another))).toBe(404)
    expect(await open(url.replace(/exp=\d+/, 'exp=9999999999'))).toBe(404)
    t.setNow('2026-12-02 10:05:01')
    expect(await open(url)).toBe(404)
    t.setNow(times.inside)
  })
})
