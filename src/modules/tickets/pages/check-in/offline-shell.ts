const NAME = 'juxian-door'
/** Stands for the page of every door: all are the same document. */
const PAGE = '/ticket/checkin'

/** The files of the application that this page has loaded. */
function loaded(): string[] {
  const links = [...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link[href], script[src]')]
  const told = links.map(one => ('href' in one ? one.href : one.src))
  const fetched = performance.getEntriesByType('resource').map(one => one.name)
  return [...new Set([...told, ...fetched])]
    .map(address => new URL(address, location.href))
    .filter(({ origin, pathname }) => origin === location.origin && /^\/assets\/|\.svg$/.test(pathname))
    .map(({ pathname }) => pathname)
}

/**
 * Keeps the page itself on the device, so that a door can be opened and reloaded without a network. Only where the
 * browser can: over https, and not in development. Files of an earlier version go when the page is another one.
 */
export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  await navigator.serviceWorker.register('/checkin-worker.js', { scope: PAGE })
  const cache = await caches.open(NAME)
  const textOf = async (): Promise<string | undefined> => (await cache.match(PAGE))?.text()
  const before = await textOf()
  const wanted = [PAGE, ...loaded()]
  await cache.addAll(wanted)
  if (before === (await textOf())) return
  for (const { url } of await cache.keys()) if (!wanted.includes(new URL(url).pathname)) await cache.delete(url)
}
