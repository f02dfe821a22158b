import { lookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { limits } from '../../config/limits.ts'
import { isPrivateAddress } from './private-address.ts'

/** A host that does not answer, or that this server may not ask. */
export class HostUnreachable extends Error {
  /** Whether nothing was sent, so that asking again cannot do anything twice. */
  readonly isUnsent: boolean

  constructor(message: string, cause?: unknown, isUnsent = false) {
    super(message, { cause })
    this.name = 'HostUnreachable'
    this.isUnsent = isUnsent
  }
}

/** What is asked of a host. */
export interface Wish {
  method: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
  /** Milliseconds the host may take; eight seconds unless told. */
  time?: number
  /** Milliseconds of them until it is connected; all of them unless told. */
  connectTime?: number
  /** Bytes it may answer; one megabyte unless told. */
  size?: number
  /** Whether the name of a listed host may lead inside only to addresses that are listed as well. */
  isStrict?: boolean
}

/** Milliseconds a host may take, and bytes it may answer. */
const mostBytes = 1024 * 1024

/**
 * Looks a name up and refuses private addresses where the connection is made: a name cannot change in between.
 * @param isListed private addresses that may be asked all the same
 */
export const guardedLookup =
  (isListed: (address: string) => boolean): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first) return done(error ?? new HostUnreachable(`${host} has no address`), [])
      const isInside = found.some(one => isPrivateAddress(one.address) && !isListed(one.address))
      if (isInside) return done(new HostUnreachable(`${host} is a private address`, undefined, true), [])
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })

/** @throws HostUnreachable for an address that may not be asked, whatever stands behind its name */
function checkAddress(url: URL, isListed: boolean): void {
  if (url.protocol !== 'https:' && !(isListed && url.protocol === 'http:'))
    throw new HostUnreachable(`${url.origin} is not https`, undefined, true)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isListed && isIP(host) && isPrivateAddress(host))
    throw new HostUnreachable(`${host} is a private address`, undefined, true)
}

function collect(
  answer: http.IncomingMessage,
  most: number,
  done: (answer: Response) => void,
  fail: (error: Error) => void,
): void {
  const parts: Buffer[] = []
  let size = 0
  answer.on('error', fail)
  answer.on('data', (part: Buffer) => {
    size += part.length
    if (size > most) answer.destroy(new HostUnreachable('the answer is too long'))
    else parts.push(part)
  })
  answer.on('end', () => {
    const { statusCode: status = 502, rawHeaders } = answer
    const headers = new Headers()
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
    const isEmpty = status < 200 || [204, 205, 304].includes(status)
    done(new Response(isEmpty ? null : Buffer.concat(parts), { status: Math.max(status, 200), headers }))
  })
}

/** Gives a host up that is not connected in time. @returns whether it has been connected */
function watchConnection(request: http.ClientRequest, time: number): () => boolean {
  let isConnected = false
  request.on('socket', socket => {
    const giveUp = () => request.destroy(new HostUnreachable(`${request.host} does not connect`, undefined, true))
    const timer = setTimeout(giveUp, time)
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      isConnected = true
      clearTimeout(timer)
    })
    socket.once('close', () => clearTimeout(timer))
  })
  return () => isConnected
}

/**
 * A `fetch` for addresses that people of a tenant write down: https only, never into private networks, no redirects, eight
 * seconds unless more is given, one megabyte unless told.
 * @param isListed hosts an administrator of the installation named: they may be inside, and without TLS
 * @throws HostUnreachable for whatever keeps an answer away
 */
export const guardedFetch =
  (isListed: (host: string, port: string) => boolean) =>
  async (
    address: string | URL,
    { method, headers, body, signal, isStrict = false, ...given }: Wish,
  ): Promise<Response> => {
    const { time = limits.outside, size = mostBytes, connectTime = time } = given
    const url = new URL(address)
    const port = url.port || (url.protocol === 'http:' ? '80' : '443')
    const listed = isListed(url.hostname, port)
    checkAddress(url, listed)
    const text = body === undefined || body === null ? '' : String(body)
    const limit = AbortSignal.timeout(time)
    const options: https.RequestOptions = {
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(text) },
      agent: false,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(!listed && { lookup: guardedLookup(() => false) }),
      ...(listed && isStrict && { lookup: guardedLookup(found => isListed(found, port)) }),
    }
    return new Promise((done, fail) => {
      const failed = (error: Error) =>
        fail(
          error instanceof HostUnreachable
            ? error
            : new HostUnreachable(`${url.host}: ${error.message}`, error, !isConnected()),
        )
      const request = (url.protocol === 'http:' ? http : https).request(url, options, answer =>
        collect(answer, size, done, failed),
      )
      const isConnected = watchConnection(request, connectTime)
      request.on('error', failed)
      request.end(text)
    })
  }
