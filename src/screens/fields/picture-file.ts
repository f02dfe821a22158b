import { PICTURE_HEAD, pictureKind } from '../../platform/files/picture-kind.ts'

/** Pixels of the longer side that a large picture is brought down to. */
const LONGEST = 2400
const QUALITY = 0.92

/** What is wrong with a picture and what to do about it: Chinese, the keys of their translation. */
export const PICTURE_TROUBLE = {
  heic: '这是 HEIC 格式的照片，当前浏览器无法读取。请在 iPhone“设置-相机-格式”中选择“兼容性最佳”后重新拍照，或将照片截屏后上传截图',
  broken: '无法读取这张图片，文件可能已损坏。请重新拍照，或将照片截屏后上传截图',
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
const kindOf = async (file: Blob): Promise<ReturnType<typeof pictureKind>> =>
  pictureKind(new Uint8Array(await file.slice(0, PICTURE_HEAD).arrayBuffer()))

/** The kind of picture of a file that has something in it. @throws FileProblem */
export async function kindOfFull(file: Blob): Promise<ReturnType<typeof pictureKind>> {
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

async function decoded(file: Blob): Promise<ImageBitmap> {
  const kind = await kindOfFull(file)
  if (!kind) throw new FileProblem(PICTURE_TROUBLE.other)
  // Browsers that know HEIC decode it like any other.
  return createImageBitmap(file).catch(() => {
    throw new FileProblem(PICTURE_TROUBLE[kind === 'heic' ? 'heic' : 'broken'])
  })
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
  const bitmap = await decoded(file)
  const kind = await kindOf(file)
  return kind === 'jpg' || kind === 'png' ? calledRight(file, kind) : smaller(bitmap, file.name)
}

/**
 * A file as it can be sent: HEIC as JPEG, a picture larger than `maxKB` brought down to what can still be read, all others as
 * they are. A picture that cannot be read is said here, before it is kept or sent.
 * @param longest pixels of the longer side of a picture that is brought down
 * @throws FileProblem
 */
export async function fitted(file: File, maxKB: number, longest = LONGEST): Promise<File> {
  const isLarge = (one: Blob): boolean => one.size > maxKB * 1024
  const kind = await kindOfFull(file)
  let sent = file
  if (kind) {
    const bitmap = await decoded(file)
    sent = kind === 'heic' || isLarge(file) ? await smaller(bitmap, file.name, longest) : calledRight(file, kind)
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
  return named(await drawn(await decoded(file), area, size.width, size.height), file.name)
}

/** A size in KB or MB, for people. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1024))} KB`
