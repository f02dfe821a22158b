import { lookup } from 'node:dns/promises'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../config/limits.ts'
import { inEnglish } from '../../i18n/english.ts'
import { ok } from './envelope.ts'
import type { Readiness } from './readiness.ts'
import { wantsEnglish } from './refusal-english.ts'
import { retryAfter } from './unavailable.ts'

const starting = '系统正在启动，请稍后再试'

/** Answers while the server is being built: the process lives and is not ready. */
function answerEarly({ url = '/', headers }: http.IncomingMessage, response: http.ServerResponse): void {
  const [path = ''] = url.split('?')
  const isLive = path === '/api/public/live'
  const isCall = path.startsWith('/api/')
  const msg = wantsEnglish(headers['accept-language']) ? inEnglish(starting) : starting
  const refusal = { code: 503, success: false, data: { status: 'starting' satisfies Readiness }, msg }
  response.writeHead(isLive ? 200 : 503, {
    'content-type': `${isCall ? 'application/json' : 'text/plain'}; charset=utf-8`,
    'cache-control': 'no-store',
    connection: 'close',
    ...(!isLive && { 'retry-after': String(retryAfter) }),
  })
  response.end(isCall ? JSON.stringify(isLive ? ok({ status: 'up' }) : refusal) : msg)
}

/** The addresses of a host: what is called `localhost` is reached by each of them. */
async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

/** Where the process listens from its first moment on: before the server is built, it says that it lives and is not ready. */
export class Listener {
  #answer: http.RequestListener = answerEarly
  readonly #servers: http.Server[] = []
  readonly #connections = new Set<Socket>()
  /** Calls that are not answered whole: what is asked, and since when. */
  readonly #calls = new Map<http.IncomingMessage, number>()

  /**
   * Listens at an address.
   * @throws when it is taken
   */
  static async open({ host, port }: { host: string; port: number }): Promise<Listener> {
    const listener = new Listener()
    for (const address of await addressesOf(host)) {
      const server = listener.#make()
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        // A port that the system chooses is the same at every address.
        server.listen({ host: address, port: port || listener.#address?.port || 0 }, () => {
          server.off('error', reject)
          resolve()
        })
      }).catch(async error => {
        await listener.close()
        throw error
      })
      listener.#servers.push(server)
    }
    return listener
  }

  #make(): http.Server {
    const server = http.createServer({ headersTimeout: limits.headers }, (request, response) => {
      this.#calls.set(request, performance.now())
      response.once('close', () => this.#calls.delete(request))
      this.#answer(request, response)
    })
    server.on('connection', (connection: Socket) => {
      this.#connections.add(connection)
      connection.once('close', () => this.#connections.delete(connection))
    })
    server.requestTimeout = limits.request
    server.keepAliveTimeout = limits.keepAlive
    return server
  }

  get #address(): AddressInfo | undefined {
    return this.#servers[0]?.address() as AddressInfo | undefined
  }

  /** Where it is reached, `http://127.0.0.1:8000`. */
  get url(): string {
    const { address = '', family = '', port = 0 } = this.#address ?? {}
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  }

  /** The server that Fastify is to use instead of one of its own. */
  get server(): http.Server {
    return this.#servers[0]!
  }

  /** Hands all calls to a server that is ready. */
  handOver(app: FastifyInstance): void {
    this.#answer = app.routing
  }

  /** What is being asked and is not answered whole, as `POST /api/blade-auth/oauth/token (12 s)`; without what follows a `?`. */
  get underWay(): string[] {
    return [...this.#calls].map(([{ method, url = '' }, since]) => {
      const seconds = Math.round((performance.now() - since) / 1000)
      return `${method} ${url.split('?')[0]} (${seconds} s)`
    })
  }

  /**
   * Takes no new connections; done when running calls are answered. Connections that nothing was ever sent on are closed at once:
   * browsers open them in advance, and Node.js takes each of them for the beginning of a call.
   */
  async close(): Promise<void> {
    const closed = this.#servers.map(server => new Promise<void>(done => server.close(() => done())))
    for (const connection of this.#connections) if (connection.bytesRead === 0) connection.destroy()
    await Promise.all(closed)
  }
}
