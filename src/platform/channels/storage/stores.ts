import { Readable } from 'node:stream'
import { type Refusal, refuse } from '../../http/server/refusal.ts'
import { newKey, type Storage, StorageError } from './index.ts'
import type { Arrivals, Given, OwnBucket } from './own-bucket.ts'

/** Where a new file goes. */
export interface Place {
  /** The key to keep it under; it says which storage that is, so that the file is found there for good. */
  key: string
  /** What the settings of that storage are called; `local` for the installation's own. */
  ossCode: string
}

/** All storages of an installation, as one. */
export interface Stores extends Storage {
  /** Where a new file of a tenant goes: to the storage that is in use now. `ext` as in {@link newKey}. */
  place(tenantId: string, ext?: string): Promise<Place>
  /** The storage that a row of the settings describes, whether in use or not. @throws StorageError when it cannot be used */
  store(ossId: string): Promise<Storage>
  /** Where browsers put files into the installation's bucket; null where it has none. */
  arrivals: Arrivals | null
  /**
   * An address in the installation's bucket that gives a file to whoever has it for five minutes, to be saved and never shown;
   * null for a file that is not there for certain.
   */
  address(key: string, given: Given): string | null
  /**
   * What is wrong with the place of the installation's own files, for whoever keeps it; null when nothing is.
   * @throws when the place cannot be looked at
   */
  fault(): Promise<string | null>
}

/** The installation's own storage. */
export interface OwnFiles {
  storage: Storage
  /** Its bucket, and whether all files are in it. */
  bucket: { arrivals: Arrivals; address: OwnBucket['address'] | null } | null
  /** Whether it still is that of the installation: its files may have been moved since this process started. */
  isStill(): Promise<boolean>
  /** As {@link Stores.fault}. */
  fault(): Promise<string | null>
}

/** The settings of storages elsewhere; they are read each time, so that all processes see a change at once. */
export interface Settings {
  /** The storage elsewhere that a tenant has in use; undefined for the installation's own. */
  inUse(tenantId: string): Promise<{ id: string; ossCode: string } | undefined>
  /** Opens a storage by its row. @throws StorageError when there is none or it may not be reached */
  open(ossId: string): Promise<Storage>
}

/** Keys of files that are kept elsewhere begin with the row of the settings. */
const elsewhere = /^oss-(\d{1,20})\/(.+)$/

function told(error: unknown, note: (error: unknown) => void): unknown {
  if (!(error instanceof StorageError)) return error
  note(error)
  return unusable('请稍后再试')
}

/** The refusal when a storage cannot be used. */
export const unusable = (reason: string): Refusal => refuse('file.storageUnavailable', { 原因: reason })

/**
 * The storages of an installation as one: each key is looked up where it was put.
 * @param note is told why a storage could not be used; callers meet refusal file.storageUnavailable
 */
export function openStores(own: OwnFiles, settings: Settings, note: (error: unknown) => void): Stores {
  const on = async <T>(key: string, act: (storage: Storage, key: string) => Promise<T> | T): Promise<T> => {
    const [, ossId, rest] = elsewhere.exec(key) ?? []
    try {
      return await (ossId && rest ? act(await settings.open(ossId), rest) : act(own.storage, key))
    } catch (error) {
      throw told(error, note)
    }
  }
  return {
    put: (key, bytes) => on(key, (storage, at) => storage.put(at, bytes)),
    putStream: (key, bytes) => on(key, (storage, at) => storage.putStream(at, bytes)),
    get: key => on(key, (storage, at) => storage.get(at)),
    remove: key => on(key, (storage, at) => storage.remove(at)),
    open(key) {
      async function* bytes() {
        try {
          yield* await on(key, (storage, at) => storage.open(at))
        } catch (error) {
          throw told(error, note)
        }
      }
      return Readable.from(bytes(), { objectMode: false })
    },
    async place(tenantId, ext) {
      const store = await settings.inUse(tenantId)
      if (store) return { key: `oss-${store.id}/${newKey(ext)}`, ossCode: store.ossCode }
      if (await own.isStill()) return { key: newKey(ext), ossCode: 'local' }
      throw told(new StorageError('The files of this installation are elsewhere since this process started.'), note)
    },
    store: settings.open,
    arrivals: own.bucket?.arrivals ?? null,
    address: (key, given) => (elsewhere.test(key) ? null : (own.bucket?.address?.(key, given) ?? null)),
    fault: own.fault,
  }
}
