import type { Sharp, SharpInput, SharpOptions } from 'sharp'

/**
 * A picture to work on. The library for pictures, which brings programs of its own of some ten megabytes, is loaded with the first one.
 * @param input what the picture is made of
 */
export async function openPicture(input: SharpInput, options?: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  return sharp(input, options)
}
