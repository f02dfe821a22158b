// Serves the pages of doors (/ticket/checkin/…) without a network from what they have kept themselves. Calls are not touched.
const NAME = 'juxian-door'
const PAGE = '/ticket/checkin'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

const kept = address => caches.open(NAME).then(cache => cache.match(address, { ignoreVary: true }))

/** The newest page when there is a network, the kept one when there is none. */
const page = request => fetch(request).catch(() => kept(PAGE).then(found => found ?? Response.error()))

/** Files never change under their names: what is kept is good. */
const file = request => kept(request.url).then(found => found ?? fetch(request))

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && pathname.startsWith(`${PAGE}/`)) event.respondWith(page(request))
  else if (pathname.startsWith('/assets/') || pathname.endsWith('.svg')) event.respondWith(file(request))
})
