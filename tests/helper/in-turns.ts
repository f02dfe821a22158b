/**
 * Does something with every item, some of them at a time.
 * @param width how many at a time
 * @returns the results in the order of the items
 */
export async function inTurns<T, R>(
  width: number,
  items: readonly T[],
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const walk = async () => {
    for (const [place, item] of queue) results[place] = await work(item, place)
  }
  await Promise.all(Array.from({ length: width }, walk))
  return results
}
