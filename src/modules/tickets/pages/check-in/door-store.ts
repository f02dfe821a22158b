import { ROSTERS } from '../../../../platform/http/browser/session.ts'
import type { KeptBundle, OwnMark } from './types.ts'

/**
 * What a door keeps on the device. Personal data (rosters, scanned codes) are in a database of their own that signing out
 * deletes; notes hold ids and times only, so they can wait for their author as long as it takes.
 */
export interface DoorStore {
  bundle(roomId: string): Promise<KeptBundle | undefined>
  bundles(): Promise<KeptBundle[]>
  keepBundle(bundle: KeptBundle): Promise<void>
  dropBundle(roomId: string): Promise<void>
  marks(): Promise<OwnMark[]>
  /** Keeps notes, and the codes that were scanned for them by their ids. Resolves when they would survive a crash. */
  keepMarks(marks: readonly OwnMark[], codes?: Readonly<Record<string, string>>): Promise<void>
  dropMarks(ids: readonly string[]): Promise<void>
  /** The scanned codes that are still there, by the ids of their notes. */
  codes(): Promise<Record<string, string>>
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function open(name: string, stores: Readonly<Record<string, string | null>>): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    for (const [store, keyPath] of Object.entries(stores)) request.result.createObjectStore(store, { keyPath })
  }
  return done(request).then(db => {
    // Signing out in another tab deletes the database: it must not wait for this one.
    db.onversionchange = () => db.close()
    return db
  })
}

/** One database, opened when it is first needed, and again after it was closed under us. */
function database(name: string, stores: Readonly<Record<string, string | null>>) {
  let opened: Promise<IDBDatabase> | undefined
  const get = (): Promise<IDBDatabase> => {
    opened ??= open(name, stores)
    return opened
  }
  const begin = async (store: string, mode: IDBTransactionMode): Promise<IDBTransaction> => {
    try {
      return (await get()).transaction(store, mode, { durability: 'strict' })
    } catch {
      opened = undefined
      return (await get()).transaction(store, mode, { durability: 'strict' })
    }
  }
  return {
    read: async <T>(store: string, ask: (rows: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
      done(ask((await begin(store, 'readonly')).objectStore(store))),
    write: async (store: string, change: (rows: IDBObjectStore) => void): Promise<void> => {
      const trx = await begin(store, 'readwrite')
      const ended = new Promise<void>((resolve, reject) => {
        trx.oncomplete = () => resolve()
        trx.onabort = () => reject(trx.error)
      })
      change(trx.objectStore(store))
      return ended
    },
  }
}

/** The store in the browser's own databases. */
export function browserStore(): DoorStore {
  const rosters = database(ROSTERS, { bundles: 'roomId', codes: null })
  const notes = database('juxian-checkin', { marks: 'id' })
  return {
    bundle: roomId => rosters.read('bundles', rows => rows.get(roomId)),
    bundles: () => rosters.read('bundles', rows => rows.getAll()),
    keepBundle: bundle => rosters.write('bundles', rows => rows.put(bundle)),
    dropBundle: roomId => rosters.write('bundles', rows => rows.delete(roomId)),
    marks: () => notes.read('marks', rows => rows.getAll()),
    async keepMarks(marks, codes = {}) {
      await notes.write('marks', rows => {
        for (const mark of marks) rows.put(mark)
      })
      await rosters.write('codes', rows => {
        for (const [id, code] of Object.entries(codes)) rows.put(code, id)
      })
    },
    async dropMarks(ids) {
      await notes.write('marks', rows => {
        for (const id of ids) rows.delete(id)
      })
      await rosters.write('codes', rows => {
        for (const id of ids) rows.delete(id)
      })
    },
    async codes() {
      const [ids, codes] = await Promise.all([
        rosters.read('codes', rows => rows.getAllKeys()),
        rosters.read('codes', rows => rows.getAll() as IDBRequest<string[]>),
      ])
      return Object.fromEntries(ids.map((id, i) => [String(id), codes[i] ?? '']))
    },
  }
}
