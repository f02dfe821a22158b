/** Pictures that are known by what they begin with; `heic` stands for all of the HEIF family that phones make. */
export type PictureKind = 'jpg' | 'png' | 'heic'

/** Bytes that {@link pictureKind} needs. */
export const PICTURE_HEAD = 12

const signatures = {
  jpg: [0xff, 0xd8, 0xff],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
} as const

/** Brands of a HEIF file: single pictures and series, with or without HEVC. */
const heif = /^ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)$/

/** The kind of picture that its first bytes say it is, whatever its name; null for anything else. */
export function pictureKind(head: Uint8Array): PictureKind | null {
  for (const kind of ['jpg', 'png'] as const) if (signatures[kind].every((byte, at) => head[at] === byte)) return kind
  return heif.test(String.fromCharCode(...head.subarray(4, PICTURE_HEAD))) ? 'heic' : null
}
