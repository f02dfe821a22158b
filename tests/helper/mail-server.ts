import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** How a mail server behaves next: takes a mail, refuses or puts off its receiver, or is cut after it has taken one. */
export type MailBehaviour = 'take' | 'refuse' | 'later' | 'cut'

/** A mail server on this machine with a book of what it took. */
export interface MailServer {
  port: number
  book: { id: string; raw: string; mail: Email }[]
  /** What it does with the mails that come next. */
  behaves: MailBehaviour
  /** How often somebody has signed in with a wrong password. */
  wrongPasswords: number
  close(): Promise<void>
}

/** The account that a mail server knows. */
export const mailLogin = { user: 'office', pass: 'Right-One-7' }

/** Starts a mail server that asks for a password. */
export async function mailServer(): Promise<MailServer> {
  const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === mailLogin.user && password === mailLogin.pass) return done(null, { user: username })
      own.wrongPasswords++
      done(refusal(535, '5.7.8 Wrong password'))
    },
    onRcptTo(_address, _session, done) {
      if (own.behaves === 'refuse') return done(refusal(550, '5.1.1 No such mailbox'))
      if (own.behaves === 'later') return done(refusal(451, '4.3.0 Try again later'))
      done()
    },
    onData(stream, _session, done) {
      buffer(stream).then(async bytes => {
        const raw = bytes.toString('latin1')
        const mail = await PostalMime.parse(bytes)
        own.book.push({ id: mail.messageId ?? '', raw, mail })
        if (own.behaves !== 'cut') return done()
        for (const one of server.connections) (one as unknown as { _socket: { destroy(): void } })._socket.destroy()
      }, done)
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const own: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    book: [],
    behaves: 'take',
    wrongPasswords: 0,
    close: () => new Promise(done => void server.close(() => done())),
  }
  return own
}
