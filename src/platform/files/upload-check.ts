import { refuse } from '../http/server/refusal.ts'
import { advice, adviceForKind } from './file-advice.ts'
import { type CheckedFile, canonicalExt, checkImage, checkSize, endings, type UploadRules } from './image.ts'
import { checkOffice, checkZip } from './office-check.ts'
import { checkPdf } from './pdf-check.ts'
import { pictureKind } from './picture-kind.ts'

/** Names Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i
/** Control characters, invisible ones, direction overrides, and what no file system takes. */
const unsafe = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"*/:<>?\\|]/gu

/**
 * An original file name as text that may stand in a list, a zip or a header: its last path part, composed, without
 * characters that mislead, at most 100 characters; the ending is kept.
 */
export function cleanName(filename: string): string {
  const last = filename.split(/[/\\]/).pop() ?? ''
  const text = last.normalize('NFC').replace(unsafe, '').trim().replace(/^\.+/, '')
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(text)?.[0] ?? ''
  const stem = [...text.slice(0, text.length - ending.length)]
    .slice(0, 100 - ending.length)
    .join('')
    .trim()
  return `${stem === '' || reserved.test(stem) ? '文件' : stem}${ending}`
}

const office: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  zip: 'application/zip',
}

const isZip = (buffer: Buffer): boolean => buffer.readUInt32LE(0) === 0x04034b50

async function checkContent(buffer: Buffer, ext: string, rules: UploadRules): Promise<CheckedFile> {
  if (ext === 'jpg' || ext === 'png') {
    const kind = pictureKind(buffer)
    if (kind !== ext) throw refuse('file.contentInvalid', { 做法: kind === 'heic' ? advice.heic : advice.picture })
    return checkImage(buffer, { ...rules, exts: ext })
  }
  if (ext === 'pdf') {
    await checkPdf(buffer)
    return { bytes: buffer, ext, mime: 'application/pdf' }
  }
  const mime = office[ext]
  if (!mime) throw refuse('file.typeNotAllowed', { 做法: adviceForKind(buffer, endings(rules.exts ?? '')) })
  if (buffer.length < 22 || !isZip(buffer)) throw refuse('file.contentInvalid', { 做法: advice.office })
  await (ext === 'zip' ? checkZip(buffer) : checkOffice(buffer, ext))
  return { bytes: buffer, ext, mime }
}

/** The ending of a clean name, and those that rules take. */
const endingsOf = (name: string, rules: UploadRules) => ({
  ext: canonicalExt(/\.([A-Za-z0-9]+)$/.exec(name)?.[1] ?? ''),
  exts: endings(rules.exts ?? 'jpg,jpeg,png,pdf'),
})

/**
 * Checks what is known of an upload before its bytes have come.
 * @param size bytes
 * @throws file.typeNotAllowed, file.tooLarge
 */
export function checkName(filename: string, size: number, rules: UploadRules): void {
  const { ext, exts } = endingsOf(cleanName(filename), rules)
  const isHeic = /^hei[cf]$/.test(ext) && exts.includes('jpg')
  if (!exts.includes(ext))
    throw refuse('file.typeNotAllowed', { 做法: isHeic ? advice.heic : advice.exts([...new Set(exts)]) })
  checkSize(size, rules.maxKB)
}

/**
 * Checks an upload by its name and its content, which must agree, and returns what may be kept. Pictures are
 * re-encoded. Refuses file.typeNotAllowed a kind not allowed, file.tooLarge too large, file.contentInvalid content that is
 * not what the name says, file.pictureUnfit pixels.
 */
export async function checkUpload(
  buffer: Buffer,
  filename: string,
  rules: UploadRules = {},
): Promise<CheckedFile & { name: string }> {
  const name = cleanName(filename)
  const { ext, exts } = endingsOf(name, rules)
  if (!exts.includes(ext)) throw refuse('file.typeNotAllowed', { 做法: adviceForKind(buffer, exts) })
  checkSize(buffer.length, rules.maxKB)
  return { ...(await checkContent(buffer, ext, rules)), name }
}
