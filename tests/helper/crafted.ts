import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { zipOf } from './zip.ts'

const relations = (type: string, target: string) =>
  `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`

/** The parts of an office document with more of them, by name. */
function office(part: string, more: Record<string, string | Buffer> = {}, types = 'main+xml'): Buffer {
  const parts = { '[Content_Types].xml': `<Types><Override ContentType="${types}"/></Types>`, [part]: '<x/>', ...more }
  return zipOf(Object.entries(parts).map(([name, data]) => ({ name, data: Buffer.from(data) })))
}

/** A Word document with more parts. */
export const docx = (more?: Record<string, string | Buffer>, types?: string) => office('word/document.xml', more, types)
/** A workbook with more parts. */
export const xlsx = (more?: Record<string, string | Buffer>, types?: string) => office('xl/workbook.xml', more, types)
/** A Word document that is related to something outside. */
export const related = (type: string, target: string) =>
  docx({ 'word/_rels/document.xml.rels': relations(type, target) })
/** An archive of files with these names. */
export const archive = (...names: string[]) => zipOf(names.map(name => ({ name, data: Buffer.from('x') })))

const page = [
  '11 0 obj\n<< /Type /Catalog /Pages 12 0 R >>\nendobj',
  '12 0 obj\n<< /Type /Pages /Kids [13 0 R] /Count 1 >>',
  'endobj',
  '13 0 obj\n<< /Type /Page /Parent 12 0 R >>\nendobj',
  '',
].join('\n')

/** A PDF of one empty page with these lines in it. */
export const pdf = (...inside: (string | Buffer)[]): Buffer =>
  Buffer.concat(
    [`%PDF-1.7\n${page}`, ...inside, '\ntrailer\n<< /Root 11 0 R >>\n%%EOF\n'].map(part => Buffer.from(part)),
  )

/** A stream of a PDF, deflated. */
export const stream = (dictionary: string, body: string | Buffer, filter = '/FlateDecode'): Buffer =>
  Buffer.concat([
    Buffer.from(`1 0 obj\n<< ${dictionary} /Filter ${filter} >>\nstream\n`),
    deflateSync(body),
    Buffer.from('\nendstream endobj\n'),
  ])

/** Each byte pushed away from where it was, as predictor 12 with one column does. */
export const predicted = (text: string): string =>
  [...text]
    .map((char, at) => `\u0002${String.fromCharCode((char.charCodeAt(0) - (text.charCodeAt(at - 1) || 0)) & 255)}`)
    .join('')

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}

/** A small PNG with one more chunk behind its header. */
export async function pngWith(type: string, data: string): Promise<Buffer> {
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  return Buffer.concat([png.subarray(0, 33), chunk(type, Buffer.from(data)), png.subarray(33)])
}

/** A PNG that claims so many pixels a side and brings none. */
export function hugePng(side: number): Buffer {
  const header = Buffer.from('00000000000000000802000000', 'hex')
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  const magic = Buffer.from('89504e470d0a1a0a', 'hex')
  const body = chunk('IDAT', deflateSync(Buffer.alloc(100)))
  return Buffer.concat([magic, chunk('IHDR', header), body, chunk('IEND', Buffer.alloc(0))])
}
