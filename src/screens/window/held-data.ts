import { type QueryClient, QueryObserver } from '@tanstack/react-query'

/** What a hidden page showed. */
export interface Held {
  /** The page is shown again and looks after it by itself. */
  release: () => void
  /** The page is closed: what no other page uses is forgotten at once. */
  forget: () => void
}

/**
 * Keeps the data of the page that is shown now, for it is about to be hidden: nobody would use it, and it would be
 * collected before the page comes back. Nothing is asked for meanwhile.
 */
export function hold(client: QueryClient): Held {
  const cache = client.getQueryCache()
  const used = cache.getAll().filter(query => query.getObserversCount() > 0)
  const ends = used.map(query =>
    new QueryObserver(client, { ...query.options, queryKey: query.queryKey, enabled: false }).subscribe(
      () => undefined,
    ),
  )
  const release = (): void => {
    for (const end of ends.splice(0)) end()
  }
  return {
    release,
    forget: () => {
      release()
      for (const query of used) if (query.getObserversCount() === 0) cache.remove(query)
    },
  }
}
