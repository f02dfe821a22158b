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

const pause = (time: number): Promise<void> => new Promise(done => setTimeout(done, time))

function read(name: string): Lease | undefined {
  try {
    const lease = JSON.parse(localStorage.getItem(name) ?? 'null') as Lease | null
    // A lease that lasts longer than any is that of a clock that has been set back since.
    return lease && lease.until > Date.now() && lease.until <= Date.now() + LEASE ? lease : undefined
  } catch {
    return undefined
  }
}

const write = (name: string, id: string): void =>
  localStorage.setItem(name, JSON.stringify({ id, until: Date.now() + LEASE } satisfies Lease))

/** Takes a lease that nobody has. True when this tab has it: of several that take it at once, the last to write. */
async function take(name: string, id: string): Promise<boolean> {
  if (read(name)) return false
  write(name, id)
  await pause(SETTLE + Math.random() * SETTLE)
  return read(name)?.id === id
}

/** The same by a lease in the storage that all tabs share, which a tab that dies loses by itself. */
async function byLease<T>(name: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
  let hasWaited = false
  while (!(await take(name, id))) {
    hasWaited = true
    await pause(LOOK)
  }
  const beat = setInterval(() => write(name, id), BEAT)
  try {
    return await work(hasWaited)
  } finally {
    clearInterval(beat)
    if (read(name)?.id === id) localStorage.removeItem(name)
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
