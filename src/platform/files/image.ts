import { refuse } from '../http/server/refusal.ts'
import { advice, adviceForKind } from './file-advice.ts'
import { openPicture } from './picture.ts'
import { type PictureKind, pictureKind } from './picture-kind.ts'

/** What an upload must be like. Sizes in KB and pixels. */
export interface UploadRules {
  maxKB?: number
  /** Comma list of endings. */
  exts?: string
  minW?: number
  minH?: number
  exactW?: number
  exactH?: number
  /** An ID photo: cropped to `exactW` × `exactH` (295 × 413 without them) and kept as JPEG. */
  photo?: boolean
}

/** A file as it may be kept. Pictures were re-encoded: nothing the sender put beside the pixels is left. */
export interface CheckedFile {
  bytes: Buffer
  ext: string
  mime: string
  width?: number
  height?: number
}

/** Largest picture that is decoded at all. */
const maxPixels = 40_000_000
export const photoSize = { width: 295, height: 413 } as const

type PictureExt = Exclude<PictureKind, 'heic'>

/** Endings as one list; `jpeg` counts as `jpg`. */
export const endings = (exts: string): string[] => exts.split(',').map(ext => canonicalExt(ext.trim()))
/** An ending in lower case without its dot; `jpeg` is `jpg`. */
export const canonicalExt = (ext: string): string =>
  ext
    .toLowerCase()
    .replace(/^\./, '')
    .replace(/^jpeg$/, 'jpg')

/** Refuses file.tooLarge so many bytes above `maxKB`. */
export function checkSize(bytes: number, maxKB?: number): void {
  if (maxKB && bytes > maxKB * 1024) throw refuse('file.tooLarge', { n: maxKB, 做法: advice.size })
}

function checkPixels(width: number, height: number, rules: UploadRules): void {
  const { minW = 1, minH = 1, exactW, exactH, photo } = rules
  const unfit = (demand: string, 做法: string) => refuse('file.pictureUnfit', { 要求: demand, 做法 })
  if (width * height > maxPixels) throw unfit('不超过4000万像素', advice.large)
  if (width < minW || height < minH) throw unfit(`不小于${minW}×${minH}像素`, advice.small)
  if (photo) return
  const wrong = (exactW && width !== exactW) || (exactH && height !== exactH)
  if (wrong) throw unfit(`${exactW ?? width}×${exactH ?? height}像素`, advice.exact)
}

/** Width and height as seen, after the turn a camera noted down. */
async function measure(buffer: Buffer): Promise<{ width: number; height: number }> {
  const picture = await openPicture(buffer, { limitInputPixels: false })
  const { autoOrient } = await picture.metadata()
  return autoOrient
}

async function encode(buffer: Buffer, kind: PictureExt, rules: UploadRules): Promise<CheckedFile> {
  const upright = (await openPicture(buffer, { limitInputPixels: maxPixels, failOn: 'truncated' })).autoOrient()
  const { exactW = photoSize.width, exactH = photoSize.height } = rules
  const sized = rules.photo ? upright.resize(exactW, exactH, { fit: 'cover' }).flatten({ background: '#fff' }) : upright
  const ext = rules.photo ? 'jpg' : kind
  const output = ext === 'jpg' ? sized.jpeg({ quality: 88, mozjpeg: true }) : sized.png({ compressionLevel: 9 })
  const { data, info } = await output.toBuffer({ resolveWithObject: true })
  return { bytes: data, ext, mime: ext === 'jpg' ? 'image/jpeg' : 'image/png', width: info.width, height: info.height }
}

/**
 * Checks a picture by what it is, not by its name, and encodes it again, which drops EXIF, positions and anything
 * appended. Refuses file.typeNotAllowed for a kind not allowed, file.tooLarge too large, file.contentInvalid not
 * decodable, file.pictureUnfit the wrong size.
 */
export async function checkImage(buffer: Buffer, rules: UploadRules = {}): Promise<CheckedFile> {
  checkSize(buffer.length, rules.maxKB)
  const kind = pictureKind(buffer)
  const exts = endings(rules.exts ?? 'jpg,png')
  if (!kind || kind === 'heic' || !exts.includes(kind))
    throw refuse('file.typeNotAllowed', { 做法: adviceForKind(buffer, exts) })
  const size = await measure(buffer).catch(() => {
    throw refuse('file.contentInvalid', { 做法: advice.picture })
  })
  const photo = rules.photo ? { minW: rules.exactW ?? photoSize.width, minH: rules.exactH ?? photoSize.height } : {}
  checkPixels(size.width, size.height, { ...photo, ...rules })
  return encode(buffer, kind, rules).catch(() => {
    throw refuse('file.contentInvalid', { 做法: advice.picture })
  })
}
