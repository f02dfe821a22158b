import fp from 'fastify-plugin'
import '../../database/auth-tables.ts'
import { countUp } from '../../database/throttle.ts'

/** What the keys begin with under which such addresses are counted. */
export const proxyMark = 'proxy:'

/** Milliseconds in which a process notes an address once. */
const pause = 3_600_000
/** Addresses a process remembers; more are somebody's play. */
const most = 100
/** Seconds for which the health panel tells of it. */
const shown = 86_400

/**
 * Notices that calls come through a proxy which the server was not told to trust: then everybody behind it has one address,
 * and shares what an address may do. Said once in the log of a process, and on the health panel for a day.
 */
export default fp(
  async app => {
    const noted = new Map<string, number>()
    app.addHook('onRequest', async ({ headers, ip, socket, log, routeOptions }) => {
      const peer = socket.remoteAddress
      if (routeOptions.config.withoutDatabase || !headers['x-forwarded-for'] || !peer || ip !== peer) return
      const now = app.now().getTime()
      if ((noted.get(peer) ?? 0) > now - pause || noted.size >= most) return
      if (noted.size === 0) log.warn({ peer }, 'X-Forwarded-For does not count: TRUST_PROXY does not name this address')
      noted.set(peer, now)
      await countUp(app.db, proxyMark + peer, shown, app.now())
    })
  },
  { name: 'untrusted-proxy', dependencies: ['database'] },
)
