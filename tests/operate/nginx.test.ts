import sharp from 'sharp'
import { expect } from 'vitest'
import { type Nginx, publicName, startNginx } from '../helper/nginx.ts'
import { startPostgres } from '../helper/outside-postgres.ts'
import { administrator, startServers } from '../helper/servers.ts'
import { signInAt } from '../helper/sign-in-at.ts'
import { trial } from '../helper/trial.ts'

const megabyte = 1024 ** 2

/** A picture of noise, which nothing compresses, of not quite 20 MiB. */
function largePicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const create = { width: 2640, height: 2640, channels: 3, background: '#fff', noise } as const
  return sharp({ create }).png({ compressionLevel: 0, adaptiveFiltering: false }).toBuffer()
}

/** The pixels of a picture. */
const pixelsOf = (picture: Buffer): Promise<Buffer> => sharp(picture).raw().toBuffer()

/** Sends a file as a browser's form does. */
async function sendFile(
  { url, ask }: Nginx,
  headers: Record<string, string>,
  way: string,
  bytes: Buffer,
): Promise<Response> {
  const form = new FormData()
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'picture.png')
  const encoded = new Response(form)
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' }
  const body = Buffer.from(await encoded.arrayBuffer())
  const length = { 'content-length': String(body.length) }
  return ask(`${url}/api/blade-resource/${way}`, { method: 'POST', headers: { ...headers, ...type, ...length }, body })
}

/** What is said to a wrong password from an address, though the caller says to be somebody else. */
function refusalAt({ url, ask }: Nginx, from: string, claimed: string): Promise<string> {
  return signInAt(url, 'admin', 'not-the-password', (where, question) =>
    ask(where, { ...question, from, headers: { ...question?.headers, 'x-forwarded-for': claimed } }),
  ).then(
    () => 'signed in',
    (error: Error) => error.message,
  )
}

trial(
  'nginx with the file of the project: pages, sign-in, addresses of callers, its name, files of 20 MB and no larger ones',
  { needs: ['nginx', 'openssl', 'postgres'] },
  async run => {
    const database = await startPostgres(run)
    const { urls } = await startServers(run, 1, { DATABASE_URL: database.url, TRUST_PROXY: '127.0.0.1' })
    const nginx = await startNginx(run, urls[0]!)
    const { url, plainUrl, ask } = nginx

    const page = await ask(`${url}/`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<script type="module"')
    const moved = await ask(`${plainUrl}/login?a=1`)
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `https://${publicName}/login?a=1`])

    const headers = await signInAt(url, 'admin', administrator, ask)
    const who = () => ask(`${url}/api/blade-auth/oauth/user-info`, { headers })
    expect((await who()).status).toBe(200)

    // Guesses from one address delay that address and not the one beside it, whoever the callers say they are.
    const said: string[] = []
    for (let guess = 1; guess <= 6; guess++) said.push(await refusalAt(nginx, '127.0.0.2', `192.0.2.${guess}`))
    const other = await refusalAt(nginx, '127.0.0.3', '192.0.2.1')
    expect(said[0]).toContain('20002')
    expect(said.at(-1)).toContain('20003')
    expect(other).toContain('20002')

    const picture = await largePicture()
    expect(picture.length).toBeGreaterThan(19.9 * megabyte)
    run.figure('a picture through nginx, bytes', picture.length)
    // As the picture of a person it is too large, which only the server knows.
    const begun = performance.now()
    const refused = await sendFile(nginx, headers, 'oss/endpoint/put-file-attach', picture)
    run.figure('refused by the limit of the server, ms', Math.round(performance.now() - begun))
    expect(await refused.json()).toMatchObject({ code: 28002, msg: expect.stringContaining('500KB') })
    const since = performance.now()
    const taken = await sendFile(nginx, headers, 'attach/upload?owner=files', picture)
    run.figure('kept, ms', Math.round(performance.now() - since))
    const { data } = (await taken.json()) as { data: { attachId: string } }
    const kept = await ask(`${url}/api/blade-resource/attach/download?id=${data.attachId}`, { headers })
    const pixels = await pixelsOf(Buffer.from(await kept.arrayBuffer()))
    expect(pixels.equals(await pixelsOf(picture))).toBe(true)
    const larger = await sendFile(nginx, headers, 'attach/upload?owner=files', Buffer.alloc(22 * megabyte))
    expect([larger.status, larger.headers.get('server')]).toEqual([413, 'nginx'])

    // What changes something though it is a GET is refused when a page of another site makes a browser send it.
    const leave = (origin: string) =>
      ask(`${url}/api/blade-auth/oauth/logout`, { headers: { ...headers, origin: `https://${origin}` } })
    expect((await leave('other.example.org')).status).toBe(400)
    expect((await who()).status).toBe(200)
    expect((await leave(publicName)).status).toBe(200)
    expect((await who()).status).toBe(401)
  },
)
