/** Largest avatar in bytes. */
const MOST = 500 * 1024

/** What files of the kinds that are taken begin with. */
const beginnings = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
] as const

/**
 * What is wrong with a picture as an avatar, in Chinese; nothing when it may be sent. What the file is, its first bytes tell: a
 * name or a type that only says so does not count.
 */
export async function avatarProblem(file: Blob): Promise<string | undefined> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer())
  const isPicture = beginnings.some(bytes => bytes.every((byte, at) => head[at] === byte))
  return isPicture && file.size <= MOST ? undefined : '头像应为 jpg 或 png，不超过 500 KB'
}
