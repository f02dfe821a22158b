import { createHash } from 'node:crypto'
import { AttachVisible, ScanState } from '#schemas/dictionaries'
import { newKey, type Storage } from '../platform/channels/storage/index.ts'
import type { Reader } from '../platform/database/database.ts'
import { candidatePhoto } from '../platform/files/candidate-photo.ts'

/** A drawn file in the storage; many attachments may show the same one. */
export interface Drawn {
  key: string
  size: number
  sha256: string
}

/** How many different faces are drawn; more candidates than that share them. */
const faces = 300

async function keep(storage: Storage, bytes: Buffer): Promise<Drawn> {
  const key = newKey('jpg')
  await storage.put(key, bytes)
  return { key, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Draws the portraits of the candidates, a few at a time on all cores. */
export async function drawPhotos(storage: Storage, count: number): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (let at = 0; at < Math.min(count, faces); at += 20) {
    const few = Array.from({ length: Math.min(20, Math.min(count, faces) - at) }, (_, i) =>
      candidatePhoto(`face-${at + i}`),
    )
    drawn.push(...(await Promise.all((await Promise.all(few)).map(bytes => keep(storage, bytes)))))
  }
  return drawn
}

const paper = (title: string, colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="560"><rect width="800" height="560" fill="${colour}"/><rect x="24" y="24" width="752" height="512" fill="none" stroke="#9c7a3c" stroke-width="4"/><rect x="90" y="210" width="420" height="18" fill="#00000022"/><rect x="90" y="260" width="520" height="18" fill="#00000022"/><rect x="90" y="310" width="360" height="18" fill="#00000022"/><circle cx="640" cy="420" r="70" fill="none" stroke="#c0392b" stroke-width="6" opacity="0.7"/><text x="400" y="120" font-size="48" text-anchor="middle" fill="#444">${title}</text></svg>`

/** Pictures that stand for papers, one of each kind. */
export async function drawPapers(storage: Storage): Promise<Record<'idCard' | 'diploma' | 'certificate', Drawn>> {
  const draw = async (title: string, colour: string) =>
    keep(
      storage,
      await (await import('sharp'))
        .default(Buffer.from(paper(title, colour)))
        .jpeg({ quality: 70 })
        .toBuffer(),
    )
  const [idCard, diploma, certificate] = await Promise.all([
    draw('SPECIMEN · ID', '#e8f1f8'),
    draw('SPECIMEN · DIPLOMA', '#fbf3df'),
    draw('SPECIMEN · CERTIFICATE', '#eaf6ea'),
  ])
  return { idCard: idCard as Drawn, diploma: diploma as Drawn, certificate: certificate as Drawn }
}

/** A picture of a paper that shows nothing of anybody, with a word on it. */
export async function drawPicture(text: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#e8f1f8"/><text x="320" y="210" font-size="40" text-anchor="middle" fill="#345">${text}</text></svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 70 }).toBuffer()
}

/** An attachment to be written. */
export interface Attachment {
  drawn: Drawn
  name: string
  ownerType: 'photo' | 'signup' | 'files'
  userId: string
}

/** Writes attachments. @returns their ids in the same order */
export async function attach(db: Reader, tenantId: string, now: Date, list: readonly Attachment[]): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < list.length; at += 2000) {
    const rows = list.slice(at, at + 2000).map(({ drawn, name, ownerType, userId }) => ({
      tenantId,
      link: '',
      name: drawn.key,
      originalName: name,
      extension: 'jpg',
      attachSize: drawn.size,
      contentType: 'image/jpeg',
      sha256: drawn.sha256,
      ownerType,
      visible: AttachVisible.ownerAndStaff,
      scanState: ScanState.clean,
      createUser: userId,
      createTime: now,
      updateTime: now,
    }))
    const made = await db.insertInto('attach').values(rows).returning('id').execute()
    ids.push(...made.map(one => one.id))
  }
  return ids
}
