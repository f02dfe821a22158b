/** Milliseconds a lease lasts without being renewed, and between two renewals. */
const LEASE = 6000
const BEAT = 1500
/** Milliseconds until what one tab has written is read by the others. */
const SETTLE = 80
/** Milliseconds between two looks at a lease that another tab has. */
const LOOK = 50

interface Lease {
  id: string
  until: number
}

/** Where leases are kept: tabs wait for each other's transactions, so that only one finds a lease free. */
const LEASES = 'juxian-leases'

const pause = (time: number): Promise<void> => new Promise(done => setTimeout(done, time))

const leaseOf = (id: string): Lease => ({ id, until: Date.now() + LEASE })

/** A lease that lasts longer than any is that of a clock that has been set back since. */
const lasts = (lease: Lease | null | undefined): lease is Lease =>
  Boolean(lease && lease.until > Date.now() && lease.until <= Date.now() + LEASE)

/** What a change of a lease makes of the one that is there: another, none (`null`), or the same (`undefined`). */
type Change = (found: Lease | undefined) => Lease | null | undefined

let opened: Promise<IDBDatabase> | undefined

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(LEASES, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(LEASES)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

/** Looks at a lease and changes it in one transaction. @returns whether it was changed */
async function inOneGo(name: string, change: Change): Promise<boolean> {
  const transaction = (await database()).transaction(LEASES, 'readwrite')
  const store = transaction.objectStore(LEASES)
  return new Promise((resolve, reject) => {
    let isChanged = false
    const request = store.get(name)
    request.onsuccess = () => {
      const next = change(request.result as Lease | undefined)
      isChanged = next !== undefined
      if (next === null) store.delete(name)
      else if (next) store.put(next, name)
    }
    transaction.oncomplete = () => resolve(isChanged)
    transaction.onabort = () => reject(transaction.error)
  })
}

/** The same in a storage without transactions: of several tabs that take a lease at once, the last to write has it. */
async function inTheOpen(name: string, change: Change): Promise<boolean> {
  const read = (): Lease | undefined => {
    try {
      return (JSON.parse(localStorage.getItem(name) ?? 'null') as Lease | null) ?? undefined
    } catch {
      return undefined
    }
  }
  const found = read()
  const next = change(found)
  if (next === null) localStorage.removeItem(name)
  if (!next) return next === null
  localStorage.setItem(name, JSON.stringify(next))
  if (next.id === found?.id) return true
  await pause(SETTLE + Math.random() * SETTLE)
  return read()?.id === next.id
}

const change = (name: string, by: Change): Promise<boolean> =>
  globalThis.indexedDB ? inOneGo(name, by).catch(() => inTheOpen(name, by)) : inTheOpen(name, by)

/** The same by a lease in a storage that all tabs share, which a closed tab loses by itself. */
async function byLease<T>(name: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
  let hasWaited = false
  while (!(await change(name, found => (lasts(found) ? undefined : leaseOf(id))))) {
    hasWaited = true
    await pause(LOOK)
  }
  const own =
    (next: Lease | null): Change =>
    found =>
      found?.id === id ? next : undefined
  const beat = setInterval(() => void change(name, own(leaseOf(id))), BEAT)
  try {
    return await work(hasWaited)
  } finally {
    clearInterval(beat)
    await change(name, own(null))
  }
}

/** The same by the browser's own locks. */
async function byLock<T>(name: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
  let isFree = true
  const first = await navigator.locks.request(name, { ifAvailable: true }, async lock => {
    isFree = lock !== null
    return isFree ? { value: await work(false) } : undefined
  })
  if (first) return first.value
  return navigator.locks.request(name, () => work(true))
}

/**
 * Does something in one tab of this browser at a time. Over plain http, where browsers have no locks, a lease in the
 * storage stands for them.
 * @param work is told whether another tab was at it before: what that one has written may still be on its way
 */
export const oneTab = <T>(name: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> =>
  navigator.locks ? byLock(name, work) : byLease(name, work)
