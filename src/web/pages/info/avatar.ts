import { kindOf, PICTURE_TROUBLE } from '../../fields/picture-file.ts'

/** Largest avatar in bytes. */
const MOST = 500 * 1024

/**
 * What is wrong with a picture as an avatar and what to do, in Chinese; nothing when it may be sent. What the file is, its
 * first bytes tell: a name or a type that only says so does not count.
 */
export async function avatarProblem(file: Blob): Promise<string | undefined> {
  const kind = await kindOf(file)
  if (kind === 'heic') return PICTURE_TROUBLE.heic
  return kind && file.size <= MOST ? undefined : '头像应为 jpg 或 png，不超过 500 KB，可将图片截屏后上传截图'
}
