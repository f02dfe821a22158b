import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import { readS3, type S3Account } from '../../src/platform/config/s3.ts'
import { isSignedV4 } from './s3-signature.ts'

/** A storage server of a test. */
export interface S3Server {
  /** Its address, path style; bucket `files` is there, key and secret are both `S3RVER`. */
  endpoint: string
  host: string
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

/** Lets only requests through that were signed with the right secret; an unknown key is the server's own to refuse. */
const guarded =
  (serve: RequestListener): RequestListener =>
  (request, response) => {
    const { method = '', url = '', headers } = request
    const isKnown = headers.authorization?.includes('Credential=S3RVER/')
    if (!isKnown || isSignedV4({ method, url, headers }, 'S3RVER')) return serve(request, response)
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' }).end(refused)
  }

/** Starts a server that speaks S3 and checks signatures, on a port of its own. */
export async function s3Server(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 's3-'))
  const storage = new S3rver({ directory, silent: true, configureBuckets: [{ name: 'files' }] })
  await storage.configureBuckets()
  let server: Server
  const listen = async (port: number) => {
    server = createServer(guarded(storage.callback())).listen(port, '127.0.0.1')
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
