import { readsHeic } from '../../platform/files/browser/site-files.ts'
import { PICTURE_HEAD, type PictureKind, pictureKind } from '../../platform/files/picture-kind.ts'

/** Pixels of the longer side that a large picture is brought down to. */
const LONGEST = 2400
const QUALITY = 0.92

/** What a phone is asked for: one that keeps its photos as HEIC turns them into JPEG by itself then. */
export const PHOTO_TYPES = 'image/jpeg,image/png'

/** What is wrong with a picture and what to do about it: Chinese, the keys of their translation. */
export const PICTURE_TROUBLE = {
  heic: '这是 HEIC 格式的照片，当前浏览器无法读取。请在 iPhone“设置-相机-格式”中选择“兼容性最佳”后重新拍照，或将照片截屏后上传截图',
  broken: '这张照片无法读取。请在手机相册中选“编辑→另存为 JPG”，或重新拍一张',
  empty: '这个文件是空的，没有内容。请重新选择原来的文件',
  other: '这不是 jpg 或 png 图片。请换一张，或将图片截屏后上传截图',
  large: '文件超过 {{size}}。图片请截屏后上传截图，其他文件请压缩或拆分后上传',
} as const

/** A file that cannot be sent as it is. Its message is the key of its translation, `values` what stands in it. */
export class FileProblem extends Error {
  readonly values: Readonly<Record<string, string>>
  constructor(message: string, values: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'FileProblem'
    this.values = values
  }
}

/** The kind of picture that a file is by its content: its name and type may say anything. */
const kindOf = async (file: Blob): Promise<PictureKind | null> =>
  pictureKind(new Uint8Array(await file.slice(0, PICTURE_HEAD).arrayBuffer()))

/** The kind of picture of a file that has something in it. @throws FileProblem */
export async function kindOfFull(file: Blob): Promise<PictureKind | null> {
  if (file.size === 0) throw new FileProblem(PICTURE_TROUBLE.empty)
  return kindOf(file)
}

/** A part of a picture, in pixels. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** A picture, turned as its camera says. Browsers that do not know the word for it do so by themselves. */
const bitmapOf = (file: Blob): Promise<ImageBitmap> =>
  createImageBitmap(file, { imageOrientation: 'from-image' }).catch((error: unknown) => {
    if (error instanceof TypeError) return createImageBitmap(file)
    throw error
  })

/** HEIC as JPEG, for browsers that do not know it. @throws when it cannot be read either, or is not to be */
async function decodedHeic(file: Blob): Promise<Blob> {
  const { canDecode, jpegOfHeic } = await import('./heic.ts')
  if (!canDecode() || !(await readsHeic())) throw new FileProblem(PICTURE_TROUBLE.heic)
  return jpegOfHeic(file, LONGEST, QUALITY)
}

/** A picture as the browser reads it: what draws it, and the file, which is another one where it had to be decoded. */
interface Opened {
  bitmap: ImageBitmap
  file: File
  kind: PictureKind
}

/** Opens a picture. Browsers that know HEIC open it like any other. @throws FileProblem */
async function opened(file: File): Promise<Opened> {
  const kind = await kindOfFull(file)
  if (!kind) throw new FileProblem(PICTURE_TROUBLE.other)
  try {
    return { bitmap: await bitmapOf(file), file, kind }
  } catch {
    if (kind !== 'heic') throw new FileProblem(PICTURE_TROUBLE.broken)
  }
  try {
    const jpeg = named(await decodedHeic(file), file.name)
    return { bitmap: await bitmapOf(jpeg), file: jpeg, kind: 'jpg' }
  } catch {
    throw new FileProblem(PICTURE_TROUBLE.heic)
  }
}

function drawn(source: ImageBitmap, from: Area, width: number, height: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  const broken = new FileProblem(PICTURE_TROUBLE.broken)
  if (!pen) throw broken
  pen.imageSmoothingQuality = 'high'
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(source, from.x, from.y, from.width, from.height, 0, 0, width, height)
  return new Promise((done, fail) => canvas.toBlob(blob => (blob ? done(blob) : fail(broken)), 'image/jpeg', QUALITY))
}

const named = (blob: Blob, name: string): File =>
  new File([blob], `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`, { type: 'image/jpeg' })

const ending = { jpg: /\.jpe?g$/i, png: /\.png$/i } as const

/** A picture under a name that says what it is: servers judge by name and content, and phones and chats mix them up. */
const calledRight = (file: File, kind: keyof typeof ending): File =>
  ending[kind].test(file.name)
    ? file
    : new File([file], `${file.name.replace(/\.[^.]*$/, '') || 'photo'}.${kind}`, {
        type: kind === 'jpg' ? 'image/jpeg' : 'image/png',
      })

async function smaller(bitmap: ImageBitmap, name: string, longest = LONGEST): Promise<File> {
  const { width, height } = bitmap
  const scale = Math.min(1, longest / Math.max(width, height))
  const size = [Math.round(width * scale), Math.round(height * scale)] as const
  return named(await drawn(bitmap, { x: 0, y: 0, width, height }, ...size), name)
}

/** A picture that is known to be readable: jpg and png as they are, HEIC as JPEG. @throws FileProblem for any other file */
export async function readable(file: File): Promise<File> {
  const picture = await opened(file)
  return picture.kind === 'heic' ? smaller(picture.bitmap, file.name) : calledRight(picture.file, picture.kind)
}

/**
 * A file as it can be sent: HEIC as JPEG, a picture larger than `maxKB` brought down to what can still be read, all others as
 * they are. A picture that cannot be read is said here, before it is kept or sent.
 * @param longest pixels of the longer side of a picture that is brought down
 * @throws FileProblem
 */
export async function fitted(file: File, maxKB: number, longest = LONGEST): Promise<File> {
  const isLarge = (one: Blob): boolean => one.size > maxKB * 1024
  let sent = file
  if (await kindOfFull(file)) {
    const picture = await opened(file)
    sent =
      picture.kind === 'heic' || isLarge(picture.file)
        ? await smaller(picture.bitmap, file.name, longest)
        : calledRight(picture.file, picture.kind)
  }
  if (isLarge(sent)) throw new FileProblem(PICTURE_TROUBLE.large, { size: sizeText(maxKB * 1024) })
  return sent
}

/** As {@link fitted}, where nothing but a picture is taken. @throws FileProblem */
export async function fittedPicture(file: File, maxKB: number, longest = LONGEST): Promise<File> {
  if (!(await kindOfFull(file))) throw new FileProblem(PICTURE_TROUBLE.other)
  return fitted(file, maxKB, longest)
}

/** A part of a picture at exactly the size asked for, as JPEG. @throws FileProblem */
export async function cropped(file: File, area: Area, size: { width: number; height: number }): Promise<File> {
  const { bitmap } = await opened(file)
  return named(await drawn(bitmap, area, size.width, size.height), file.name)
}

/** A size in KB or MB, for people. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1024))} KB`
