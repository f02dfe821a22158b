import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { limits } from '../../config/limits.ts'
import { checkedKey, type Listed, StorageError, type WholeStorage } from './index.ts'

/** A bucket of a server that implements S3, and the keys to it. */
export interface Bucket {
  /** Address of the server, `https://host[:port]`. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** How the bucket is named: before the host, as the large providers want it, or as the first part of the path. */
  style: 'host' | 'path'
}

/** Bytes of one part of a large file. */
const partSize = 8 * 1024 * 1024
/** Objects of one page of a list. */
const portion = 500

/** What a server says, in words for whoever set it up, by its error code. */
const reasons: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'accessKey不正确',
  SignatureDoesNotMatch: 'secretKey不正确',
  NoSuchBucket: '空间不存在',
  AccessDenied: '没有访问该空间的权限',
  RequestTimeTooSkewed: '服务器时间与存储服务器相差太大',
}

/** Milliseconds before a call is made again that a server could not answer: servers say 503 when they are asked too much. */
const pauses = [100, 400]
/** Calls that do the same however often they are made. */
const repeatable = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])

/** One try; it does not follow to another address, which nobody allowed. */
const tryOnce: typeof fetch = async (input, init) => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limits.storage)
  try {
    return await fetch(input, { ...init, redirect: 'error', signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** One call, made again where the server fails and the call may be repeated. */
const call: typeof fetch = async (input, init) => {
  if (repeatable.has(init?.method ?? 'GET'))
    for (const pause of pauses) {
      const answer = await tryOnce(input, init)
      if (answer.status < 500) return answer
      await answer.body?.cancel()
      await sleep(pause)
    }
  return tryOnce(input, init)
}

function troubleOf(error: unknown): StorageError {
  if (!(error instanceof S3ServiceError)) return new StorageError('无法连接存储服务器', error)
  const code = error.serviceCode === 'Unknown' ? undefined : error.serviceCode
  return new StorageError(reasons[code ?? ''] ?? `存储服务器返回${error.status}${code ? ` ${code}` : ''}`, error)
}

const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch(error => {
    throw troubleOf(error)
  })

const gone = (key: string) => Object.assign(new Error(`no such key: ${key}`), { code: 'ENOENT' })

/** Address of a bucket at a server. */
export function addressOf({ endpoint, bucket, style }: Pick<Bucket, 'endpoint' | 'bucket' | 'style'>): string {
  const url = new URL(endpoint)
  if (style === 'host') url.hostname = `${bucket}.${url.hostname}`
  else url.pathname = `/${bucket}`
  return url.href
}

/** A stream as parts of one size, the last one shorter. */
async function* partsOf(source: Readable): AsyncGenerator<Buffer> {
  let [held, size]: [Buffer[], number] = [[], 0]
  for await (const chunk of source) {
    held.push(Buffer.from(chunk))
    size += chunk.length
    while (size >= partSize) {
      const whole = Buffer.concat(held)
      yield whole.subarray(0, partSize)
      held = [whole.subarray(partSize)]
      size -= partSize
    }
  }
  yield Buffer.concat(held)
}

/** Sends parts one after the other. Until the last call the key does not exist; what fails in between leaves nothing. */
async function sendParts(client: S3mini, key: string, first: Buffer, rest: AsyncGenerator<Buffer>): Promise<void> {
  const upload = await told(client.getMultipartUploadId(key))
  try {
    const sent = [await told(client.uploadPart(key, upload, first, 1))]
    for await (const part of rest)
      if (part.length > 0) sent.push(await told(client.uploadPart(key, upload, part, sent.length + 1)))
    await told(client.completeMultipartUpload(key, upload, sent))
  } catch (error) {
    await client.abortMultipartUpload(key, upload).catch(() => {})
    throw error
  }
}

/** Speaks to a bucket. */
export const clientOf = (bucket: Bucket): S3mini =>
  new S3mini({
    accessKeyId: bucket.accessKey,
    secretAccessKey: bucket.secretKey,
    endpoint: addressOf(bucket),
    region: bucket.region,
    fetch: call,
  })

/** Whether an error says that there is no such object. */
const isAbsent = (error: unknown): boolean =>
  error instanceof Error && [error, error.cause].some(one => one instanceof S3ServiceError && one.status === 404)

/** Bytes of an object; null when there is none. @throws StorageError */
export async function sizeOf(client: S3mini, name: string): Promise<number | null> {
  try {
    return await client.getContentLength(name)
  } catch (error) {
    if (isAbsent(error)) return null
    throw troubleOf(error instanceof Error && error.cause ? error.cause : error)
  }
}

/** The bytes of an object; null when there is none. @throws StorageError */
export async function bytesOf(client: S3mini, name: string): Promise<Buffer | null> {
  const answer = await told(client.getObjectResponse(name))
  return answer && Buffer.from(await told(answer.arrayBuffer()))
}

/** Puts an object, or replaces it. @throws StorageError */
export const putInto = async (client: S3mini, name: string, bytes: Uint8Array): Promise<void> =>
  void (await told(client.putObject(name, bytes, undefined, undefined, undefined, bytes.length)))

/** Removes an object; nothing happens when there is none. @throws StorageError */
export const removeFrom = async (client: S3mini, name: string): Promise<void> =>
  void (await told(client.deleteObject(name)))

/** Objects whose names begin with a prefix, which is left off. @throws StorageError */
export async function* objectsIn(client: S3mini, prefix: string): AsyncGenerator<Listed> {
  let next: string | undefined
  do {
    // Its delimiter only says how the address ends.
    const page = await told(client.listObjectsPaged('/', prefix, portion, next))
    if (!page) throw new StorageError(reasons.NoSuchBucket ?? '')
    for (const one of page.objects ?? [])
      if (one.Key?.startsWith(prefix))
        yield { key: one.Key.slice(prefix.length), size: Number(one.Size), time: new Date(one.LastModified) }
    next = page.nextContinuationToken
  } while (next)
}

/**
 * A storage in a bucket. What goes wrong there is a {@link StorageError}.
 * @param prefix what the names of its objects begin with
 */
export function s3Storage(bucket: Bucket, prefix = ''): WholeStorage {
  const client = clientOf(bucket)
  const named = (key: string) => `${prefix}${checkedKey(key)}`
  const put = (key: string, bytes: Uint8Array) => putInto(client, named(key), bytes)
  const read = async (key: string): Promise<Response> => {
    const answer = await told(client.getObjectResponse(named(key)))
    if (!answer) throw gone(key)
    return answer
  }
  return {
    put: async (key, bytes) => put(key, bytes),
    async putStream(key, source) {
      const parts = partsOf(source)
      const { value: first = Buffer.alloc(0) } = await parts.next()
      if (first.length < partSize) return put(key, first)
      await sendParts(client, named(key), first, parts).finally(() => source.destroy())
    },
    get: async key => Buffer.from(await told((await read(key)).arrayBuffer())),
    open(key) {
      async function* bytes() {
        const { body } = await read(key)
        if (body) yield* Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
      }
      return Readable.from(bytes(), { objectMode: false })
    },
    remove: async key => removeFrom(client, named(key)),
    size: async key => sizeOf(client, named(key)),
    list: () => objectsIn(client, prefix),
  }
}
