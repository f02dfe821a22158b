/** Runs work so that at most `limit` are under way at once; the others wait in order. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async work => {
    if (running >= limit) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next one takes over this one's place, so the count stays as it is.
      if (next) next()
      else running--
    }
  }
}

/** Runs work of the same key one after the other, work of different keys side by side. */
export function limitConcurrencyByKey(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => {})
    last.set(key, settled)
    settled.then(() => {
      if (last.get(key) === settled) last.delete(key)
    })
    return mine
  }
}
