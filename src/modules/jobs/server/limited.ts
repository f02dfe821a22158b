/** The time of a run, or of a part of it, is over. */
class TimeOver extends Error {
  constructor() {
    super('超时')
  }
}

/**
 * Does work within a time: its signal is aborted when that is over, and the work counts as failed then, whether it heeds the signal
 * or not; what it answers later is not taken.
 * @param milliseconds none for as long as it takes
 * @throws TimeOver, and whatever the work throws
 */
export async function within<T>(
  milliseconds: number | null,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const both = AbortSignal.any([signal, own.signal])
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    if (milliseconds === null) return
    timer = setTimeout(
      () => {
        const reason = new TimeOver()
        own.abort(reason)
        reject(reason)
      },
      Math.max(1, milliseconds),
    )
  })
  over.catch(() => undefined)
  try {
    signal.throwIfAborted()
    const doing = work(both)
    doing.catch(() => undefined)
    return await Promise.race([doing, over])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
