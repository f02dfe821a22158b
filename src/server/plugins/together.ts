interface Waiting<V> {
  answer(value: V | undefined): void
  fail(error: unknown): void
}

/**
 * Asks for many keys at once. The first asks alone; those that come while every lane is busy wait and are asked
 * together afterwards, each key once. Nobody is answered from a question that was asked before he came.
 * @param load answers what it finds, by key
 * @param lanes questions under way at once, so that one that hangs does not hold up everybody
 */
export function together<V>(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>, lanes = 1) {
  let waiting = new Map<string, Waiting<V>[]>()
  let busy = 0

  const ask = async (): Promise<void> => {
    busy += 1
    while (waiting.size > 0) {
      const asked = waiting
      waiting = new Map()
      try {
        const found = await load([...asked.keys()])
        for (const [key, all] of asked) for (const one of all) one.answer(found.get(key))
      } catch (error) {
        for (const one of [...asked.values()].flat()) one.fail(error)
      }
    }
    busy -= 1
  }

  return (key: string): Promise<V | undefined> =>
    new Promise((answer, fail) => {
      const same = waiting.get(key)
      if (same) same.push({ answer, fail })
      else waiting.set(key, [{ answer, fail }])
      if (busy < lanes) void ask()
    })
}
