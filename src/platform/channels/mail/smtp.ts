import net, { isIP } from 'node:net'
import type { Transporter } from 'nodemailer'
import { limits } from '../../config/limits.ts'
import { guardedLookup, HostUnreachable } from '../outside/guarded-fetch.ts'
import { isPrivateAddress } from '../outside/private-address.ts'
import type { NewMail } from './channel.ts'
import { MailError } from './mail-error.ts'

/** An account at a mail server, its secrets in clear. */
export interface SmtpAccount {
  readonly host: string
  readonly port: number
  readonly security: 'tls' | 'startTls' | 'none'
  /** Whether the host may be inside, and without TLS. */
  readonly isListed: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
  readonly from: { readonly name: string; readonly address: string }
  readonly dkim?: { readonly domainName: string; readonly keySelector: string; readonly privateKey: string }
}

/** Milliseconds until a server is connected, has greeted, and answers each time. */
const times = { connection: 8000, greeting: 8000, answer: 20_000 }
/** Connections to one server. */
const together = 5

/** Connects to a server where it may be connected to: the address is looked at where the connection is made. */
function connect({ host, port, isListed }: SmtpAccount, done: (error: Error | null, socket?: net.Socket) => void) {
  if (!isListed && isIP(host) && isPrivateAddress(host))
    return done(new HostUnreachable(`${host} is a private address`, undefined, true))
  const socket = net.connect({ host, port, ...(!isListed && { lookup: guardedLookup(() => false) }) })
  const failed = (error: Error): void => {
    clearTimeout(timer)
    done(new HostUnreachable(`${host}:${port}: ${error.message}`, error, true))
  }
  const timer = setTimeout(() => socket.destroy(new Error('does not connect')), times.connection)
  socket.once('error', failed)
  socket.once('connect', () => {
    clearTimeout(timer)
    socket.off('error', failed)
    done(null, socket)
  })
}

const unconnected = (error: unknown): HostUnreachable | undefined => {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof HostUnreachable) return one
  return undefined
}

/** What a server said, in one line. */
const said = ({ response, message }: { response?: string; message?: string }): string =>
  (response ?? message ?? '').replaceAll(/\s+/g, ' ').slice(0, 180)

/** Answers that are about the receiver and nothing else: no such mailbox, moved, switched off, not allowed. */
const addressAnswers = [550, 551, 553]

/** Why a mail did not go out, by what nodemailer throws. */
function faultOf(error: unknown): MailError {
  const cause = error
  const host = unconnected(error)
  if (host?.message.endsWith('is a private address'))
    return new MailError('邮件服务器在内网，须列在系统参数 mail.hosts 中', 'settings', { cause, isUntried: true })
  if (host) return new MailError('邮件服务器没有应答', 'later', { cause, isUntried: true })
  const {
    code,
    command = '',
    responseCode = 0,
    ...more
  } = error as Record<string, never> & {
    code?: string
    command?: string
    responseCode?: number
    message?: string
  }
  const words = said({ ...more, message: (error as Error).message })
  const isTemporary = responseCode >= 400 && responseCode < 500
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return new MailError(`邮件服务器拒绝登录：${words}`, isTemporary ? 'later' : 'settings', { cause, isUntried: true })
  if (code === 'ETLS' || code === 'ECONFIG')
    return new MailError(`与邮件服务器的加密连接未建立：${words}`, 'settings', { cause, isUntried: true })
  if (isTemporary) return new MailError(`邮件服务器要求稍后再发：${words}`, 'later', { cause })
  if (code === 'EENVELOPE' && command.startsWith('MAIL FROM'))
    return new MailError(`邮件服务器不接受发件地址：${words}`, 'settings', { cause, isUntried: true })
  if (code === 'EENVELOPE')
    return new MailError(`邮件地址不可用：${words}`, 'final', {
      cause,
      isAddressBad: responseCode === 0 || addressAnswers.includes(responseCode),
    })
  if (responseCode >= 500) return new MailError(`邮件服务器拒收：${words}`, 'final', { cause })
  // A connection that is cut after the mail was handed over looks like one that was never made.
  return new MailError('邮件服务器没有应答', 'unknown', { cause })
}

/** A mail server that is kept connected while there is something to send. */
export interface SmtpServer {
  /** @throws MailError */
  send(mail: NewMail): Promise<{ ref: string }>
  close(): void
}

/** Connections to the server of an account, made when there is something to send. The library is loaded when the first account is opened. */
async function openTransport(account: SmtpAccount): Promise<Transporter> {
  const { host, port, security, auth, from, dkim } = account
  const { createTransport } = await import('nodemailer')
  const transport: Transporter = createTransport(
    {
      pool: true,
      maxConnections: together,
      // A mail is tried again by its number alone.
      maxRequeues: 0,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'startTls',
      ignoreTLS: security === 'none',
      ...(auth && { auth: { ...auth } }),
      ...(dkim && { dkim: { ...dkim } }),
      connectionTimeout: times.connection,
      greetingTimeout: times.greeting,
      socketTimeout: times.answer,
      getSocket: (_options: unknown, done: (error: Error | null, found?: { connection: net.Socket }) => void) =>
        connect(account, (error, connection) => done(error, connection && { connection })),
      disableFileAccess: true,
      disableUrlAccess: true,
    } as never,
    { from: { ...from }, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
  // Idle connections that end are nobody's business.
  transport.on('error', () => undefined)
  return transport
}

/** Opens an account. @throws MailError where its server may not be used as it is set up */
export function openSmtp(account: SmtpAccount): SmtpServer {
  const { security, isListed, from } = account
  if (security === 'none' && !isListed)
    throw new MailError('不加密的邮件服务器须列在系统参数 mail.hosts 中', 'settings', { isUntried: true })
  const opened = openTransport(account)
  const domain = from.address.slice(from.address.indexOf('@') + 1)
  return {
    async send({ id, to, subject, text, html }) {
      const late = AbortSignal.timeout(limits.mail)
      const overdue = new Promise<never>((_done, fail) => {
        late.addEventListener('abort', () => fail(new MailError('邮件服务器没有应答', 'unknown')), { once: true })
      })
      const sending = opened.then(transport =>
        transport.sendMail({
          messageId: `<${id}@${domain}>`,
          // As an object: what stands in it is one address, whatever its characters.
          to: { name: '', address: to },
          subject: subject.replaceAll(/\s+/g, ' ').trim(),
          text,
          html,
        }),
      ) as Promise<{ response?: string }>
      sending.catch(() => undefined)
      try {
        const { response = '' } = await Promise.race([sending, overdue])
        return { ref: response.slice(0, 255) }
      } catch (error) {
        throw error instanceof MailError ? error : faultOf(error)
      }
    },
    close: () => void opened.then(transport => transport.close()).catch(() => undefined),
  }
}
