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
