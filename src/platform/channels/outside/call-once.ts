import { limits } from '../../config/limits.ts'
import type { ChannelFault } from '../fault.ts'

/** Reasons of `fetch` for which nothing can have been sent. */
const unconnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_)/

const codeOf = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? '' : codeOf(cause)
}

/** What a provider answered. */
export interface ProviderAnswer {
  status: number
  /** What it said: an object or a list. */
  body: object
}

/** A provider did not answer, or said what nobody can read. */
export class NoAnswer extends Error {
  readonly fault: ChannelFault
  /** Null where nothing came. */
  readonly status: number | null

  constructor(fault: ChannelFault, status: number | null, cause?: unknown) {
    super(status === null ? 'no answer' : `an answer that cannot be read, status ${status}`, { cause })
    this.name = 'NoAnswer'
    this.fault = fault
    this.status = status
  }
}

/**
 * Makes one call, once, and reads its answer, refusals included.
 * @param read makes of its text what it says; throws for what is no answer
 * @throws NoAnswer `later` when the provider was not reached, or can do nothing now and does not say more; `unknown` when whether the call
 * arrived cannot be told
 */
export async function callOnce(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  read: (text: string) => unknown = JSON.parse,
): Promise<ProviderAnswer> {
  let status: number
  let text: string
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(limits.outside), ...init })
    status = answer.status
    text = await answer.text()
  } catch (error) {
    throw new NoAnswer(unconnected.test(codeOf(error)) ? 'later' : 'unknown', null, error)
  }
  // From a machine in front of the provider: what stands behind it may have taken the message.
  if (status === 502 || status === 504) throw new NoAnswer('unknown', null, new Error(`status ${status}`))
  try {
    const body = read(text)
    if (typeof body === 'object' && body !== null) return { status, body }
  } catch {
    // What cannot be read is told by its status alone.
  }
  throw new NoAnswer(status >= 500 || status === 429 ? 'later' : status < 300 ? 'unknown' : 'final', status)
}
