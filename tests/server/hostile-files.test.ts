import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanOpen } from '../../src/platform/attachments/server/scan.ts'
import { checkPdf } from '../../src/platform/files/pdf-check.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { archive, docx, hugePng, pdf, pngWith, predicted, related, stream, xlsx } from '../helper/crafted.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { uploadAs } from '../helper/upload.ts'
import { zipOf } from '../helper/zip.ts'

let t: TestApp
let staff: Caller
let jpeg: Buffer
beforeAll(async () => {
  t = await testApp()
  staff = await signIn(t, { role: 'administrator' })
  const blank = { create: { width: 90, height: 120, channels: 3 as const, background: '#88a' } }
  const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '24/1 26/1 0/1' } }
  jpeg = await sharp(blank).withExif(gps).jpeg().toBuffer()
})
afterAll(() => t?.close())

const base = '/api/blade-resource/attach'
const send = (bytes: Buffer | string, name: string) =>
  uploadAs(t, staff, `${base}/upload?owner=approval`, { name, bytes })
const open = async (id: unknown) => t.app.inject({ url: `${base}/download?id=${id}`, headers: staff.headers })
const kept = async (bytes: Buffer, name: string) => (await open((await send(bytes, name)).data.attachId)).rawPayload

const script = '<script>alert(1)</script>'
const gif = `GIF89a/*${'\0'.repeat(20)}*/=1;alert(1)//`
const mega = 1024 * 1024

const falseNames: [string, string | Buffer, string][] = [
  ['GIF and script at once', gif, 'a.jpg'],
  [
    'HTML behind the first bytes of a JPEG',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(script)]),
    'a.jpg',
  ],
  ['a program of Linux', '\x7fELF\x02\x01\x01\0'.padEnd(200, '\0'), 'a.png'],
  ['a program of Windows', 'MZ\x90\0'.padEnd(200, '\0'), 'a.pdf'],
  ['a picture of another kind', 'RIFF\x24\0\0\0WEBPVP8 '.padEnd(200, '\0'), 'a.jpg'],
  ['a script as an archive', '#!/bin/sh\nrm -rf /\n'.padEnd(100), 'a.zip'],
  ['a workbook as a text', xlsx(), 'a.docx'],
  ['a bare archive as a text', archive('x'), 'a.docx'],
]

/** A packed object of the number 20. */
const twenty = (object: string) => stream('/Type /ObjStm /N 1 /First 5', `20 0 ${object}`)

const papers: [string, Buffer, string][] = [
  ['a script before its first line', Buffer.concat([Buffer.from(`/*${script}*/`), pdf('x')]), 'a.pdf'],
  ['an archive behind it', Buffer.concat([pdf('x'), archive('a.exe'), Buffer.from('%%EOF')]), 'a.pdf'],
  ['a film that runs scripts', pdf('<< /S /Rendition /JS (app.alert) >>'), 'a.pdf'],
  ['a way into a file inside', pdf('<< /S /GoToE >>'), 'a.pdf'],
  ["a way to somebody's server", pdf('<< /S /GoToR /F (\\\\\\\\evil\\\\share) >>'), 'a.pdf'],
  ['a file pinned to a page', pdf('<< /Subtype /File#41ttachment >>'), 'a.pdf'],
  ['a form of another age', pdf('<< /AcroForm << /XFA 7 0 R >> >>'), 'a.pdf'],
  [
    'a script in a stream that says nothing of itself',
    pdf(stream('/N 1 /First 4', '1 0 << /S /J#61vaScript >>')),
    'a.pdf',
  ],
  [
    'packed objects that call themselves a picture',
    pdf(
      stream('/Type /ObjStm /Subtype /Image /DecodeParms << /Predictor 12 >>', predicted('<< /S /JavaScript >>')),
      '/XRef',
    ),
    'a.pdf',
  ],
  [
    'a dictionary too long to see its beginning',
    pdf(
      stream(`/DecodeParms << /Predictor 12 >> /X (${' '.repeat(3000)}obj) /First 4`, predicted('/JavaScript')),
      '/XRef',
    ),
    'a.pdf',
  ],
  [
    'packed objects that are written as letters',
    pdf('/Type /XRef << /Filter [/ASCII85Decode /FlateDecode] >>'),
    'a.pdf',
  ],
  [
    'objects that are packed twice',
    pdf(stream('/Type /ObjStm /N 1 /First 4', deflateSync('1 0 << /S /JavaScript >>'), '[/FlateDecode /FlateDecode]')),
    'a.pdf',
  ],
  ['a script under the name of another action', pdf('20 0 obj\n<< /S /Named /JS (app.alert(1)) >>\nendobj'), 'a.pdf'],
  ['a script in the older of two objects', pdf(twenty('<< /J#53 (x) >>'), twenty('<< >>')), 'a.pdf'],
  ['packed objects in a stream that says it is none', pdf(stream('/N 1 /First 4', '1 0 << /J#53 (x) >>')), 'a.pdf'],
  ['bytes in another file', pdf(stream('/Length 1 /F (C:\\\\secret)', 'x')), 'a.pdf'],
  ['an object that never ends', pdf('20 0 obj\n<< /A [1 2 3\nendobj'), 'a.pdf'],
  ['more objects than anybody needs', pdf('20 0 obj 1 endobj\n'.repeat(50_001)), 'a.pdf'],
  ['no page', Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n'), 'a.pdf'],
  ['encryption spelled otherwise', pdf('trailer << /#45ncrypt 5 0 R >>'), 'a.pdf'],
]

const office: [string, () => Buffer, string][] = [
  ['macros', () => docx({ 'word/vbaProject.bin': 'x' }), 'a.docx'],
  ['macros under another ending', () => xlsx({}, 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'), 'a.xlsx'],
  ['macros of the old kind', () => xlsx({ 'xl/macrosheets/sheet1.xml': '<x/>' }), 'a.xlsx'],
  ['an object inside', () => docx({ 'word/embeddings/oleObject1.bin': 'x' }), 'a.docx'],
  ['controls', () => docx({ 'word/activeX/activeX1.xml': '<x/>' }), 'a.docx'],
  ['a template from elsewhere', () => related('attachedTemplate', 'http://evil.example/t.dotm'), 'a.docx'],
  ['a picture from elsewhere', () => related('image', 'http://evil.example/x.png'), 'a.docx'],
  ['entities', () => docx({ 'word/styles.xml': '<!DOCTYPE x [<!ENTITY a "aaa">]><x>&a;</x>' }), 'a.docx'],
  ['10,001 parts', () => archive(...Array.from({ length: 10_001 }, (_, n) => `${n}`)), 'a.zip'],
  [
    'many parts of 201 MB together',
    () => zipOf(Array.from({ length: 67 }, (_, n) => ({ name: `${n}`, data: Buffer.alloc(3 * mega), statedSize: 1 }))),
    'a.zip',
  ],
  ['a way out of its folder', () => archive('../../etc/cron.d/x'), 'a.zip'],
  ['a way out, as Windows writes it', () => archive('..\\..\\x.pdf'), 'a.zip'],
  ['a program', () => archive('毕业证.pdf', '成绩单.pdf.exe'), 'a.zip'],
  ['a name that is read backwards', () => archive('a\u202efdp.scr'), 'a.zip'],
]

describe('B11 · files that are not what they say', () => {
  it.each(falseNames)('%s', async (_, bytes, name) => {
    expect((await send(bytes, name)).code).toBe(28003)
  })
  it.each(papers)('a PDF with %s', async (_, bytes, name) => {
    expect((await send(bytes, name)).code).toBe(28003)
  })
  it.each(office)('an archive or document with %s', async (_, make, name) => {
    expect((await send(make(), name)).code).toBe(28003)
  })
  it('a PDF that takes long to read, for which nobody else waits', async () => {
    const from = performance.now()
    await expect(checkPdf(pdf('4 0 5 6 '.repeat(1_000_000)), 500)).rejects.toMatchObject({ code: 28003 })
    expect(performance.now() - from).toBeLessThan(20_000)
    await checkPdf(pdf('x'))
  })
  it('B10 · a picture of 50,000 × 50,000, before anything is drawn', async () => {
    expect((await send(hugePng(50_000), 'a.png')).code).toBe(28004)
  })
  it('half an upload', async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'
    const headers = { ...staff.headers, 'content-type': 'multipart/form-data; boundary=x' }
    const payload = Buffer.concat([Buffer.from(head), jpeg])
    const answer = await t.call({ method: 'POST', url: `${base}/upload?owner=approval`, headers, payload })
    expect(answer).toMatchObject({ code: 29005, msg: '参数不正确：文件没有传完' })
  })
  it('kinds that never come in', async () => {
    for (const name of ['a.gif', 'a.svg', 'a.docm', 'a.xlsm', 'a.html', 'a.js', 'a.htaccess'])
      expect([name, (await send(gif, name)).code]).toEqual([name, 28001])
  })
})

describe('B12 · files that are what they say', () => {
  it.each<[string, () => Buffer, string]>([
    ['text with links', () => related('hyperlink', 'https://example.org'), 'a.docx'],
    ['workbook', () => xlsx(), 'a.xlsx'],
    ['archive of papers', () => archive('材料/毕业证.pdf', '材料/身份证.jpg'), 'a.zip'],
    [
      'PDF with packed objects and tables',
      () =>
        pdf(
          twenty('<< >>'),
          stream('/Type /XRef /W [1 1 1] /Size 1 /DecodeParms << /Columns 3 /Predictor 12 >>', '\u0002abc'),
        ),
      'a.pdf',
    ],
    [
      'PDF with a picture that is rearranged',
      () => pdf(stream('/Subtype /Image /DecodeParms << /Predictor 15 >>', 'x')),
      'a.pdf',
    ],
  ])('come in as they are: %s', async (_, make, name) => {
    const bytes = make()
    expect((await kept(bytes, name)).equals(bytes)).toBe(true)
  })

  it('keep pixels and nothing else', async () => {
    expect((await sharp(jpeg).metadata()).exif).toBeDefined()
    expect((await sharp(await kept(jpeg, 'a.jpg')).metadata()).exif).toBeUndefined()
    const both = Buffer.concat([jpeg, archive('evil.exe')])
    expect((await kept(both, 'a.jpg')).includes('evil.exe')).toBe(false)
    for (const type of ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'prVt'])
      expect((await kept(await pngWith(type, `Comment\0${script}`), 'a.png')).includes('script')).toBe(false)
  })

  it.each([
    ['../../../etc/passwd.jpg', 'passwd.jpg'],
    ['..\\..\\boot.jpg', 'boot.jpg'],
    ['AUX.jpg', '文件.jpg'],
    ['证\u202egpj.js.jpg', '证gpj.js.jpg'],
    ['😀 证件.jpg', '😀 证件.jpg'],
    [`${'长'.repeat(300)}.jpg`, `${'长'.repeat(96)}.jpg`],
    ["a'; drop--%0d%0a.jpg", "a'; drop--%0d%0a.jpg"],
    ['<b onload=x>.jpg', 'b onload=x.jpg'],
  ])('have names that mislead nobody: %j', async (name, clean) => {
    const { data } = await send(jpeg, name)
    const answer = await open(data.attachId)
    expect(data.originalName).toBe(clean)
    expect(data.name).toMatch(/^[0-9a-f]{2}\/[0-9a-f]{32}\.jpg$/)
    const [, plain = '', whole = ''] =
      /^attachment; filename="([ !#-~]*)"; filename\*=UTF-8''([\w%.!~-]+)$/.exec(
        `${answer.headers['content-disposition']}`,
      ) ?? []
    expect([decodeURIComponent(whole), plain.endsWith('.jpg')]).toEqual([clean, true])
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
  })
})

/** What has been handed to the network before a caller who does not stop is cut off, at most. */
const soon = 100 * mega

/**
 * Sends an endless file until the server hangs up, or, with `patience`, not a byte of it before an answer has come.
 * @returns what it said and how many bytes it took
 */
function sendEndless(headers: Record<string, string>, { patience = false } = {}) {
  const { port } = t.app.server.address() as AddressInfo
  const edge = 'edge-of-parts'
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`
  const piece = Buffer.alloc(mega, 0xff)
  return new Promise<{ said: string; taken: number }>(resolve => {
    let [said, taken] = ['', 0]
    const type = `multipart/form-data; boundary=${edge}`
    const call = request(
      {
        port,
        method: 'POST',
        path: `${base}/upload?owner=approval`,
        headers: { ...staff.headers, ...headers, 'content-type': type },
      },
      answer =>
        answer
          .setEncoding('utf8')
          .on('data', part => (said += part))
          .on('end', () => patience && write()),
    )
    const write = () => {
      taken += piece.length
      if (taken > 1024 * mega) call.end()
      else call.write(piece, error => !error && write())
    }
    call.on('error', () => {}).on('close', () => resolve({ said, taken }))
    if (patience) return call.flushHeaders()
    call.write(head)
    write()
  })
}

describe('B10 · a file without an end', () => {
  it('is read to the limit and little further, into no more memory, and nothing of it stays', async () => {
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    await kept(jpeg, 'a.jpg')
    const files = path.join(t.app.config.dataDir, 'files')
    const stored = async () => (await readdir(files, { recursive: true })).length
    const [before, memory] = [await stored(), process.memoryUsage().rss]
    for (let round = 0; round < 2; round++) {
      const { said, taken } = await sendEndless({})
      expect(JSON.parse(said)).toMatchObject({ code: 28002 })
      expect(taken).toBeLessThan(soon)
    }
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * mega)
    expect(await stored()).toBe(before)
  })

  it('that says so itself is not read at all', async () => {
    const { said, taken } = await sendEndless({ 'content-length': String(1024 * mega) }, { patience: true })
    expect(JSON.parse(said)).toMatchObject({ code: 28002, msg: expect.stringContaining('文件超过56320KB，') })
    expect(taken).toBeLessThan(soon)
  })
})

/** A ClamAV daemon of the test: it reads its protocol to the letter and finds one word. */
async function clamd() {
  const server = createServer({ allowHalfOpen: true }, socket => {
    const got: Buffer[] = []
    socket.on('data', part => got.push(part))
    socket.on('end', () => {
      const all = Buffer.concat(got)
      const parts: Buffer[] = []
      let at = 10
      for (let size = all.readUInt32BE(at); size > 0; size = all.readUInt32BE(at)) {
        parts.push(all.subarray(at + 4, at + 4 + size))
        at += 4 + size
      }
      const isRight = all.subarray(0, 10).toString() === 'zINSTREAM\0' && at + 4 === all.length
      const found = Buffer.concat(parts).includes('WORM') ? 'Test.Worm FOUND' : 'OK'
      socket.end(`stream: ${isRight ? found : 'INSTREAM ERROR'}\0`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a scanner', () => {
  const use = (address: string) =>
    t.db.updateTable('param').set({ paramValue: address }).where('paramKey', '=', 'scan.address').execute()
  const seenBy = async (who: Caller, id: unknown) =>
    (await t.app.inject({ url: `${base}/download?id=${id}`, headers: who.headers })).statusCode

  it('stops what it knows; while it is away a file is its owner’s alone', async () => {
    const { server, address } = await clamd()
    await use(address)
    const other = await signIn(t, { role: 'administrator' })
    const offer = (word: string, who = staff) =>
      uploadAs(t, who, `${base}/upload?owner=notice`, { name: 'a.pdf', bytes: pdf(word) })
    // Longer than one piece of what is handed to the scanner, 64 KiB.
    expect((await offer('WORM'.padEnd(70_000))).code).toBe(28003)
    const elsewhere = await signIn(t, { role: 'admin', tenantId: '900003' })
    expect((await offer('WORM', elsewhere)).code, 'it is asked for every tenant').toBe(28003)
    const clean = (await offer('x'.repeat(70_000))).data.attachId
    expect(await seenBy(other, clean)).toBe(200)
    await use('127.0.0.1:9')
    const [early, bad] = [(await offer('x')).data.attachId, (await offer('WORM')).data.attachId]
    expect([await seenBy(staff, early), await seenBy(other, early)]).toEqual([200, 404])
    expect(await scanOpen(t.app)).toBe(0)
    await use(address)
    expect(await scanOpen(t.app)).toBe(2)
    expect([await seenBy(other, early), await seenBy(other, bad), await seenBy(staff, bad)]).toEqual([200, 404, 404])
    await use('-')
    server.close()
  })
})

describe('who took a file', () => {
  it('is known afterwards, of ID cards in the security log', async () => {
    const owner = await signIn(t, { role: 'candidate' })
    const upload = (kind: string) =>
      uploadAs(t, owner, `${base}/upload?owner=${kind}`, { name: '证件.jpg', bytes: jpeg }).then(
        answer => answer.data.attachId,
      )
    const [card, avatar] = [await upload('card'), await upload('avatar')]
    const take = (id: unknown, { headers }: Caller) =>
      t.app.inject({ url: `${base}/download?id=${id}&inline=1`, headers })
    for (const id of [card, avatar]) {
      expect((await take(id, owner)).statusCode).toBe(200)
      expect((await take(id, staff)).statusCode).toBe(200)
    }
    await t.app.journal.flush()
    const looked = await t.db.selectFrom('auditlog').selectAll().where('targetType', '=', 'attach').execute()
    expect(looked.map(row => [row.event, row.targetId, row.userId])).toEqual([['reveal', card, staff.userId]])
    const notes = await t.db.selectFrom('log_usual').select('logId').where('logLevel', '=', 'info').execute()
    expect(notes.map(row => row.logId)).toEqual([`attach ${avatar}`])
  })
})
