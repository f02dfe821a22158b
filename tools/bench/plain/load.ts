import { once } from 'node:events'
import net from 'node:net'

/** One request, ready to be sent. */
export type Next = () => { method?: 'GET' | 'POST'; path: string; body?: string; key?: string }

/** What one round of load has met. */
export interface Round {
  /** Requests that were answered. */
  count: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

const separator = Buffer.from('\r\n\r\n')

/** Reads answers off one socket; both servers say how long theirs are. */
class Answers {
  #rest = Buffer.alloc(0)
  #wake: (() => void) | undefined

  constructor(socket: net.Socket) {
    socket.on('data', chunk => {
      this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
      this.#wake?.()
    })
    socket.on('error', () => this.#wake?.())
  }

  /** @throws for any answer but a success */
  async next(): Promise<void> {
    for (;;) {
      const end = this.#rest.indexOf(separator)
      if (end >= 0) {
        const head = this.#rest.toString('latin1', 0, end)
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
        const whole = end + separator.length + length
        if (this.#rest.length >= whole) {
          const answer = this.#rest.subarray(0, whole)
          this.#rest = this.#rest.subarray(whole)
          if (!head.startsWith('HTTP/1.1 200')) throw new Error(answer.toString())
          return
        }
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}

/**
 * Keeps some connections busy for a while, each with one request after the other.
 * @param next makes a request that was never sent before
 */
export async function load(
  url: string,
  headers: Readonly<Record<string, string>>,
  next: Next,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Round> {
  const { hostname, port, host } = new URL(url)
  const common = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const times: number[] = []
  const begun = performance.now()
  const until = begun + seconds * 1000
  const one = async () => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    const answers = new Answers(socket)
    try {
      while (performance.now() < until) {
        const { method = 'GET', path, body, key } = next()
        const more =
          body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
        const named = key === undefined ? '' : `idempotency-key: ${key}\r\n`
        const at = performance.now()
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${common}${named}${more}\r\n${body ?? ''}`)
        await answers.next()
        times.push(performance.now() - at)
      }
    } finally {
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  const took = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { count: times.length, perSecond: times.length / took, p50: at(0.5), p99: at(0.99) }
}
