/** Pixels of the longer side that a large photo of a paper is brought down to. */
const LONGEST = 2400
const QUALITY = 0.86

const isPicture = (file: Blob): boolean => /^image\/(jpeg|png)$/.test(file.type)

async function drawn(
  source: CanvasImageSource,
  from: readonly [x: number, y: number, width: number, height: number],
  width: number,
  height: number,
): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.imageSmoothingQuality = 'high'
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(source, ...from, 0, 0, width, height)
  return new Promise((done, fail) =>
    canvas.toBlob(blob => (blob ? done(blob) : fail(new Error('no picture'))), 'image/jpeg', QUALITY + 0.06),
  )
}

const named = (blob: Blob, name: string): File =>
  new File([blob], `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`, { type: 'image/jpeg' })

/** A picture that is larger than `maxKB` brought down to what is still readable; other files as they are. */
export async function fitted(file: File, maxKB: number): Promise<File> {
  if (file.size <= maxKB * 1024 || !isPicture(file)) return file
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
  const smaller = await drawn(bitmap, [0, 0, bitmap.width, bitmap.height], width, height)
  return smaller.size < file.size ? named(smaller, file.name) : file
}

/** A part of a picture at exactly the size asked for, as JPEG. @throws when the browser cannot read the picture */
export async function cropped(
  file: File,
  area: { x: number; y: number; width: number; height: number },
  size: { width: number; height: number },
): Promise<File> {
  const bitmap = await createImageBitmap(file)
  return named(await drawn(bitmap, [area.x, area.y, area.width, area.height], size.width, size.height), file.name)
}

/** A size in KB or MB, for people. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1024))} KB`
