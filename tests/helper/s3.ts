import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import { readS3, type S3Account } from '../../src/platform/config/s3.ts'
import { isSignedAddressV4, isSignedV4 } from './s3-signature.ts'

/** A storage server of a test. */
export interface S3Server {
  /** Its address, path style; bucket `files` is there, key and secret are both `S3RVER`. */
  endpoint: string
  host: string
  /** Methods and paths of the requests that came. */
  met: string[]
  /** Sets the clock by which signed addresses lapse; without a time it is the real one. */
  setClock(time?: Date): void
  /** Names of what lies in the bucket, below a prefix when one is given. */
  keys(prefix?: string): Promise<string[]>
  /** What tells a server to keep its files here, under a prefix of their own. */
  account(prefix?: string): S3Account
  /** The same as variables of the environment. */
  variables(prefix?: string): Record<string, string>
  stop(): Promise<void>
  /** Starts it again, on the same port with the same files. */
  start(): Promise<void>
  close(): Promise<void>
}

const refused =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>'

/** What the rule of a bucket says to browsers: pages may put files into it, and nothing else. */
const rule = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT',
  'access-control-allow-headers': 'content-type',
}

/**
 * Lets only requests through that were signed with the right secret, in a header or in the address, and are as they were signed: the
 * server behind it lets other lengths, types and keys pass. An unknown key is the server's own to refuse.
 */
const guarded =
  (serve: RequestListener, door: { clock: () => Date; met: string[] }): RequestListener =>
  (request, response) => {
    const { method = '', url = '', headers } = request
    const isAddress = url.includes('X-Amz-Signature=')
    if (headers.origin) for (const [name, value] of Object.entries(rule)) response.setHeader(name, value)
    if (method === 'OPTIONS') return void response.writeHead(204).end()
    const isUnknown = headers.authorization !== undefined && !headers.authorization.includes('Credential=S3RVER/')
    const isRight = isAddress ? isSignedAddressV4 : isSignedV4
    door.met.push(`${method} ${url.split('?')[0]}`)
    if (isUnknown || isRight({ method, url, headers }, 'S3RVER', door.clock())) return serve(request, response)
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' }).end(refused)
  }

/** Starts a server that speaks S3 and checks signatures, on a port of its own. */
export async function s3Server(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 's3-'))
  const storage = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'files' }] })
  await storage.configureBuckets()
  const door = { clock: () => new Date(), met: [] as string[] }
  let server: Server
  const listen = async (port: number) => {
    server = createServer(guarded(storage.callback(), door)).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const port = await listen(0)
  const variables = (prefix = ''): Record<string, string> => ({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY: 'S3RVER',
    S3_SECRET_KEY: 'S3RVER',
    ...(prefix && { S3_PREFIX: prefix }),
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    met: door.met,
    setClock: time => {
      door.clock = () => time ?? new Date()
    },
    async keys(prefix = '') {
      const names = await readdir(path.join(directory, 'files'), { recursive: true })
      return names
        .filter(name => name.endsWith('._S3rver_object') && name.startsWith(prefix))
        .map(name => name.replace('._S3rver_object', ''))
    },
    account: (prefix = '') => readS3(variables(prefix), undefined, [])!,
    variables,
    stop,
    start: async () => void (await listen(port)),
    async close() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
