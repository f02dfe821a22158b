import sharp from 'sharp'
import type { TestApp } from './app.ts'
import type { Caller } from './person.ts'

/** Sends a file with fields beside it, as a browser's form does. */
export function uploadAs(
  t: TestApp,
  { headers }: Pick<Caller, 'headers'>,
  url: string,
  file: { name: string; bytes: Buffer | string },
  fields: Readonly<Record<string, string>> = {},
) {
  const edge = '----edge-of-parts'
  const part = (head: string, body: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--${edge}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ])
  const payload = Buffer.concat([
    part(`name="file"; filename="${file.name}"\r\ncontent-type: application/octet-stream`, file.bytes),
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    Buffer.from(`--${edge}--\r\n`),
  ])
  const type = { 'content-type': `multipart/form-data; boundary=${edge}` }
  return t.call<Record<string, unknown>>({ method: 'POST', url, payload, headers: { ...headers, ...type } })
}

/**
 * Uploads a small picture as somebody.
 * @param owner what it is for: a key of dictionary `attach_owner`
 * @returns the id of the file
 */
export async function uploadPicture(t: TestApp, who: Pick<Caller, 'headers'>, owner: string): Promise<string> {
  const bytes = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const url = `/api/blade-resource/attach/upload?owner=${owner}`
  const { data } = await uploadAs(t, who, url, { name: 'a.png', bytes })
  return String(data.attachId)
}

/** The status somebody gets who asks for a file: 404 for who may not read it. */
export const fileStatus = async (t: TestApp, { headers }: Pick<Caller, 'headers'>, id: string): Promise<number> =>
  (await t.app.inject({ url: `/api/blade-resource/attach/download?id=${id}`, headers })).statusCode
