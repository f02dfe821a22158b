import type { FastifyInstance } from 'fastify'
import type { Hook } from '#schemas/webhooks/hook'
import { isAllowedHost } from '../../../platform/channels/outside/allowed-host.ts'
import { guardedFetch } from '../../../platform/channels/outside/guarded-fetch.ts'
import { readPlatformParam } from '../../../platform/database/param.ts'
import { ownUrl } from '../../../platform/http/server/public-url.ts'
import { signatureOf } from './signature.ts'

/** Milliseconds a receiver may take. */
const time = 10_000
/** Characters of an answer that are kept. */
const kept = 2048

/** What became of one try. */
export interface Outcome {
  /** Null when nothing was answered. */
  readonly httpStatus: number | null
  readonly ms: number
  /** The beginning of what was answered, or why nothing was. */
  readonly answer: string
  readonly retryAfter: string | null
}

/** What has to be known of a hook. */
type Target = Pick<Hook, 'url' | 'algorithm' | 'secret' | 'formerSecret' | 'formerUntil'>

/** What is sent. */
export interface Message {
  readonly id: string
  readonly body: string
  readonly isReplay?: boolean
}

/** The texts of a receiver, as far as a column takes them. */
const shown = (text: string): string => text.replaceAll('\0', '').slice(0, kept)

/** Hosts inside that an administrator of the installation has named; in the demonstration the server itself, which has a receiver. */
export async function listedHosts(app: FastifyInstance): Promise<(host: string, port: string) => boolean> {
  const hosts = await readPlatformParam(app, 'hook.hosts')
  const own = app.config.demo ? new URL(ownUrl(app)).host : undefined
  return (host, port) => `${host}:${port}` === own || isAllowedHost(host, port, hosts)
}

/** The secrets that sign now: the one in use, and the one before while it is still good. */
function secretsOf({ vault, now }: FastifyInstance, hook: Target): string[] {
  const former = hook.formerUntil && hook.formerUntil > now() ? hook.formerSecret : null
  return [hook.secret, former].flatMap(one => (one ? [vault.open(one)] : []))
}

/**
 * Sends one message to the address of a hook, signed. Whatever keeps an answer away is an outcome, too.
 * @param signal ends the try
 */
export async function send(
  app: FastifyInstance,
  hook: Target,
  { id, body, isReplay = false }: Message,
  signal?: AbortSignal,
): Promise<Outcome> {
  const timestamp = Math.floor(app.now().getTime() / 1000)
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  try {
    const answer = await guardedFetch(await listedHosts(app))(hook.url, {
      method: 'POST',
      body,
      time,
      signal,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Juxian-Webhook',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf({ id, timestamp, body }, secretsOf(app, hook), hook.algorithm),
        ...(isReplay && { 'webhook-replay': '1' }),
      },
    })
    const text = shown(await answer.text())
    return { httpStatus: answer.status, ms: ms(), answer: text, retryAfter: answer.headers.get('retry-after') }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { httpStatus: null, ms: ms(), answer: shown(why), retryAfter: null }
  }
}
