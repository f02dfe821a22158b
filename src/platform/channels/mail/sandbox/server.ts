import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { SMTPServer } from 'smtp-server'
import { keepMail } from './outbox.ts'

/** The mail server of the demonstration. */
export interface SandboxServer {
  /** The port on this machine that it listens on; it begins to when somebody first asks. */
  port(): Promise<number>
}

/** Bytes of a mail. */
const largest = 1024 * 1024

/** Addresses that do not exist, or take mail later, so that failures can be tried out. */
const troubles: readonly (readonly [RegExp, number, string])[] = [
  [/^nobody@/i, 550, '5.1.1 No such mailbox'],
  [/^busy@/i, 451, '4.3.0 Try again later'],
]

/** A mail server in this process, which keeps what it is handed in the table `mail_outbox`. Others on this machine alone reach it. */
export function sandboxServer(app: FastifyInstance): SandboxServer {
  let listening: Promise<SMTPServer> | undefined
  const listen = async (): Promise<SMTPServer> => {
    const { SMTPServer } = await import('smtp-server')
    const server = new SMTPServer({
      name: 'sandbox',
      size: largest,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onRcptTo({ address }, _session, done) {
        const [, responseCode, words] = troubles.find(([pattern]) => pattern.test(address)) ?? []
        done(responseCode ? Object.assign(new Error(words), { responseCode }) : null)
      },
      onData(stream, { envelope }, done) {
        buffer(stream)
          .then(raw =>
            Promise.all(envelope.rcptTo.map(({ address }) => keepMail(app.pool, { address, raw, time: app.now() }))),
          )
          .then(() => done(null))
          .catch(error => done(error))
      },
    })
    server.on('error', err => app.log.warn({ err }, 'the mail server of the demonstration'))
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    return server
  }
  app.addHook('onClose', async () => {
    const server = await listening?.catch(() => undefined)
    if (server) await new Promise<void>(done => void server.close(() => done()))
  })
  return {
    async port() {
      listening ??= listen()
      return ((await listening).server.address() as AddressInfo).port
    },
  }
}
