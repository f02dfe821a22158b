import type { S3Account } from '../../config/s3.ts'
import { disposition } from '../../http/server/disposition.ts'
import { checkedKey, type Listed, type Marker, type WholeStorage } from './index.ts'
import { signedAddress } from './presign.ts'
import { addressOf, bytesOf, clientOf, objectsIn, putInto, removeFrom, s3Storage, sizeOf } from './s3.ts'

/** Seconds for which a signed address opens. */
const life = 300

/** What has been put into the bucket by browsers and was not looked at yet. Nobody is ever given it. */
export interface Arrivals {
  /** An address to which a browser may `PUT` so many bytes of a type, and nothing else, for five minutes. */
  sign(name: string, expected: { size: number; type: string }): string
  /** Bytes of what has arrived; null when nothing has. */
  size(name: string): Promise<number | null>
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
  /** All that lies there. */
  list(): AsyncIterable<Listed>
}

/** What a signed address gives a file as. */
export interface Given {
  name: string
  type: string
}

/** The bucket of an installation: its files, what is on its way in, and the marker by which it is known again. */
export interface OwnBucket {
  /** Which bucket, in words for whoever keeps the installation. */
  place: string
  files: WholeStorage
  arrivals: Arrivals
  /** An address that gives a file to whoever has it for five minutes, to be saved and never to be shown. */
  address(key: string, given: Given): string
  marker: Marker
}

const publicAddress = (account: S3Account): string => addressOf({ ...account, endpoint: account.publicUrl })

/** The origin that browsers send files to and take them from. */
export const publicOrigin = (account: S3Account): string => new URL(publicAddress(account)).origin

/** Opens the bucket of an installation: files lie under `keep/`, what is on its way in under `in/`. */
export function openBucket(account: S3Account): OwnBucket {
  const { prefix } = account
  const client = clientOf(account)
  const signer = { ...account, address: publicAddress(account) }
  const [kept, arriving, mark] = [`${prefix}keep/`, `${prefix}in/`, `${prefix}.store`]
  const at = (name: string) => `${arriving}${checkedKey(name)}`
  const read = async () => (await bytesOf(client, mark))?.toString().trim() || null
  return {
    place: `${addressOf(account)}${prefix && `/${prefix}`}`,
    files: s3Storage(account, kept),
    arrivals: {
      sign: (name, { size, type }) => {
        const headers = { 'content-length': String(size), 'content-type': type }
        return signedAddress(signer, { method: 'PUT', name: at(name), life, headers })
      },
      size: name => sizeOf(client, at(name)),
      get: name => bytesOf(client, at(name)),
      remove: name => removeFrom(client, at(name)),
      list: () => objectsIn(client, arriving),
    },
    address: (key, { name, type }) => {
      const query = { 'response-content-disposition': disposition(name), 'response-content-type': type }
      return signedAddress(signer, { method: 'GET', name: `${kept}${checkedKey(key)}`, life, query })
    },
    marker: {
      read,
      async write(id) {
        const there = await read()
        if (there === null) await putInto(client, mark, Buffer.from(id))
        return there ?? id
      },
      remove: () => removeFrom(client, mark),
    },
  }
}
