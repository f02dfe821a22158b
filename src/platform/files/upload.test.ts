import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pdf } from '../../../tests/helper/crafted.ts'
import { doorListPdf } from '../../modules/tickets/documents/room-pdf.ts'
import { Refusal, refuse } from '../http/server/refusal.ts'
import { englishOf } from '../http/server/refusal-english.ts'
import { candidatePhoto } from './candidate-photo.ts'
import { checkImage } from './image.ts'
import { checkPdf } from './pdf-check.ts'
import { checkUpload, cleanName } from './upload-check.ts'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
/** What a photo of a phone begins with. */
const heic = (brand = 'heic') =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`), Buffer.alloc(99)])
const jpeg = (width: number, height: number) => picture(width, height).jpeg().toBuffer()

/** A PNG that claims a size and brings no pixels. */
function hugePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const whole = Buffer.alloc(12 + data.length)
    whole.writeUInt32BE(data.length, 0)
    whole.write(type, 4, 'latin1')
    data.copy(whole, 8)
    whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length)
    return whole
  }
  const header = Buffer.from('00000000000000000802000000', 'hex')
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(100))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

describe('pictures', () => {
  it('encodes anew: EXIF, positions and whatever was appended are gone', async () => {
    const withExif = await picture(300, 420)
      .withExif({ IFD0: { Artist: 'SECRET-ARTIST' } })
      .jpeg()
      .toBuffer()
    const polyglot = Buffer.concat([withExif, Buffer.from('<script>alert(1)</script>')])
    expect(polyglot.includes('SECRET-ARTIST')).toBe(true)
    const { bytes } = await checkUpload(polyglot, '照片.jpg')
    expect(bytes.includes('SECRET-ARTIST')).toBe(false)
    expect(bytes.includes('script')).toBe(false)
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  })

  it('turns a picture as the camera noted', async () => {
    const turned = await picture(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await checkImage(turned)).toMatchObject({ width: 300, height: 400 })
  })

  it('crops a photo to 295 × 413 and keeps it as JPEG', async () => {
    const png = await picture(800, 900).png().toBuffer()
    expect(await checkImage(png, { photo: true })).toMatchObject({
      width: 295,
      height: 413,
      ext: 'jpg',
      mime: 'image/jpeg',
    })
  })

  it.each<[string, () => Promise<Buffer> | Buffer, string, object, RegExp]>([
    ['a HEIC photo', () => heic(), 'IMG_1.HEIC', {}, /^不支持的文件类型，这是HEIC照片.*兼容性最佳.*截屏/],
    ['a HEIC photo named jpg', () => heic('mif1'), 'IMG_1.jpg', {}, /^文件内容与格式不符，这是HEIC照片.*兼容性最佳/],
    [
      'a HEIC photo where PDFs are asked for',
      () => heic(),
      'a.heic',
      { exts: 'pdf' },
      /^不支持的文件类型，请改用pdf格式/,
    ],
    ['another kind', () => Buffer.from('GIF89a'), 'a.gif', { exts: 'jpg,jpeg,png' }, /，请改用jpg\/png格式的文件$/],
    ['too many bytes', () => Buffer.alloc(3000), 'a.jpg', { maxKB: 2 }, /^文件超过2KB，图片请截屏/],
    [
      'half a picture',
      async () => (await jpeg(600, 600)).subarray(0, 900),
      'a.jpg',
      {},
      /，请用图片软件另存为jpg或png/,
    ],
    ['a small picture', () => jpeg(100, 100), 'a.jpg', { minW: 295 }, /295×1像素，请上传更清晰的原图$/],
    ['another size', () => jpeg(100, 100), 'a.jpg', { exactW: 295 }, /295×100像素，请将图片裁剪到该尺寸$/],
    ['no PDF', () => Buffer.from('%PDF-1.4 nothing'), 'a.pdf', {}, /，请重新打印或另存为/],
    ['no workbook', () => Buffer.from('x'.repeat(50)), 'a.xlsx', { exts: 'xlsx' }, /，请用WPS或Excel/],
  ])('of %s says what to do, in both languages', async (_, make, name, rules, chinese) => {
    const refusal = await checkUpload(await make(), name, rules).then(String, (error: Refusal) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect((refusal as Refusal).message).toMatch(chinese)
    expect(englishOf(refusal as Refusal)).not.toMatch(/\p{Script=Han}/u)
  })

  it('of an export that is too large says nothing of files to choose', () => {
    expect(refuse('file.tooLarge', { n: 9, 做法: '' }).message).toBe('文件超过9KB')
  })

  it.each<[string, () => Promise<Buffer> | Buffer, string, object, number]>([
    ['svg named jpg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.jpg', {}, 28003],
    ['html named png', () => Buffer.from('<!doctype html><script>1</script>'), 'a.png', {}, 28003],
    ['svg', () => Buffer.from('<svg/>'), 'a.svg', {}, 28001],
    ['html', () => Buffer.from('<html>'), 'a.html', {}, 28001],
    ['no ending', () => jpeg(10, 10), 'photo', {}, 28001],
    ['two endings', () => jpeg(10, 10), 'a.jpg.exe', {}, 28001],
    ['a NUL before the ending', () => jpeg(10, 10), 'a.exe\u0000.gif', {}, 28001],
    ['png named jpg', () => picture(10, 10).png().toBuffer(), 'a.jpg', {}, 28003],
    ['gif named jpg', () => picture(10, 10).gif().toBuffer(), 'a.jpg', {}, 28003],
    [
      'an exe with a jpeg beginning',
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('MZ'.repeat(500))]),
      'a.jpg',
      {},
      28003,
    ],
    ['half a picture', async () => (await jpeg(600, 600)).subarray(0, 900), 'a.jpg', {}, 28003],
    ['nothing', () => Buffer.alloc(0), 'a.jpg', {}, 28003],
    ['too many bytes', () => Buffer.alloc(3000), 'a.jpg', { maxKB: 2 }, 28002],
    ['too many pixels', () => hugePng(50_000, 50_000), 'a.png', {}, 28004],
    ['too small', () => jpeg(100, 100), 'a.jpg', { minW: 101 }, 28004],
    ['not exact', () => jpeg(295, 412), 'a.jpg', { exactW: 295, exactH: 413 }, 28004],
    ['too small for a photo', () => jpeg(200, 300), 'a.jpg', { photo: true }, 28004],
    ['a kind not asked for', () => jpeg(10, 10), 'a.jpg', { exts: 'pdf' }, 28001],
    ['text named xlsx', () => Buffer.from('a,b'), 'a.xlsx', { exts: 'xlsx' }, 28003],
  ])('refuses %s', async (_name, make, filename, rules, code) => {
    await expect(checkUpload(await make(), filename, rules)).rejects.toMatchObject({ code })
  })

  it('says which size is meant', async () => {
    await expect(checkImage(await jpeg(10, 20), { exactW: 295, exactH: 413 })).rejects.toThrow('295×413像素')
  })
})

describe('PDF', () => {
  const at = new Date('2026-12-19T01:00:00Z')
  const room = {
    examName: 'a',
    itemName: 'b',
    siteName: 'c',
    roomNo: '1',
    startTime: at,
    endTime: at,
    madeAt: at,
    seats: [],
  }
  const packed = (text: string, head = '') =>
    pdf(
      Buffer.concat([
        Buffer.from(`1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode ${head} >>\nstream\n`),
        deflateSync(text),
        Buffer.from('\nendstream'),
      ]),
    )

  it('takes plain ones, and ones with packed objects', async () => {
    await checkPdf(pdf('1 0 obj << /Type /X >> endobj'))
    await checkPdf(packed('1 0 << /Type /X >>', '/N 1 /First 4'))
    await checkPdf(await doorListPdf([room]))
    expect(await checkUpload(pdf('x'), '证书.PDF')).toMatchObject({
      ext: 'pdf',
      mime: 'application/pdf',
      name: '证书.PDF',
    })
  })

  it.each([
    ['a script', pdf('<< /S /JavaScript /JS (app.alert(1)) >>')],
    ['a script spelled otherwise', pdf('<< /S /J#61va#53cript >>')],
    ['a script in packed objects', packed('<< /S /JavaScript >>')],
    ['packed objects behind a predictor', packed('<< >>', '/DecodeParms << /Predictor 12 >>')],
    [
      'packed objects that are broken',
      pdf('1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\nxxxx\nendstream'),
    ],
    ['packed objects that never end', packed('a'.repeat(193 * 1024 * 1024))],
    ['a program', pdf('<< /S /Launch /F (cmd.exe) >>')],
    ['another file', pdf('<< /Type /EmbeddedFile >>')],
    ['a form that sends', pdf('<< /S /SubmitForm >>')],
    ['encryption', pdf('trailer << /Encrypt 5 0 R >>')],
    ['html', Buffer.from('<html>%PDF-1.7 %%EOF')],
    ['no end', Buffer.from('%PDF-1.7 x')],
  ])('refuses %s', async (_name, bytes) => {
    await expect(checkPdf(bytes)).rejects.toMatchObject({ code: 28003 })
  })
})

describe('cleanName', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\a\\身份证.jpg', '身份证.jpg'],
    ['a\u0000b\u202egpj.exe', 'abgpj.exe'],
    ['CON.pdf', '文件.pdf'],
    ['...', '文件'],
    ['', '文件'],
    ['a<b>:"|?*.png', 'ab.png'],
    [`${'长'.repeat(300)}.jpeg`, `${'长'.repeat(95)}.jpeg`],
    ['毕业证 😀.pdf', '毕业证 😀.pdf'],
  ])('%j', (name, expected) => {
    expect(cleanName(name)).toBe(expected)
  })
})

describe('candidatePhoto', () => {
  it('is the same for a seed, differs between seeds, and is small', async () => {
    const [one, again, other] = await Promise.all(['a', 'a', 'b'].map(candidatePhoto))
    expect(one!.equals(again!)).toBe(true)
    expect(one!.equals(other!)).toBe(false)
    const photos = await Promise.all(Array.from({ length: 60 }, (_, i) => candidatePhoto(`${i}`)))
    expect(Math.max(...photos.map(photo => photo.length))).toBeLessThan(8 * 1024)
    expect(await sharp(one).metadata()).toMatchObject({ width: 295, height: 413, format: 'jpeg' })
  })
})
