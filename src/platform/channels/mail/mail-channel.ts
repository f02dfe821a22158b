import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Selectable } from 'kysely'
import { EnableStatus, MailSecurity } from '#schemas/dictionaries'
import { type Live, type LiveDatabase, liveFor } from '../../database/live.ts'
import { readPlatformParam } from '../../database/param.ts'
import { timedCalls } from '../../metrics/meter.ts'
import { isAllowedHost } from '../outside/allowed-host.ts'
import { pauseAccount } from '../pause.ts'
import type { MailChannel, NewMail } from './channel.ts'
import { MailError } from './mail-error.ts'
import sandbox, { mailSandboxPath } from './sandbox/plugin.ts'
import { type SandboxServer, sandboxServer } from './sandbox/server.ts'
import { openSmtp, type SmtpAccount, type SmtpServer } from './smtp.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The way out for e-mail. */
    mail: MailChannel
  }
}

type AccountRow = Selectable<LiveDatabase['mail']>

const securities: Readonly<Record<number, SmtpAccount['security']>> = {
  [MailSecurity.tls]: 'tls',
  [MailSecurity.startTls]: 'startTls',
  [MailSecurity.none]: 'none',
}

/** The account in use of the tenant of a handle. */
const accountInUse = (db: Live): Promise<AccountRow | undefined> =>
  db.selectFrom('mail').selectAll().where('mailStatus', '=', EnableStatus.enabled).limit(1).executeTakeFirst()

/** The account that sends a mail. @throws MailError when there is none, or it is paused */
async function accountFor(db: Live, { mailId }: NewMail): Promise<AccountRow> {
  if (mailId !== undefined) {
    const row = await db.selectFrom('mail').selectAll().where('id', '=', mailId).executeTakeFirst()
    if (row) return row
  }
  const row = mailId === undefined ? await accountInUse(db) : undefined
  if (!row) throw new MailError('未配置邮箱', 'settings', { isUntried: true })
  if (row.pausedTime) throw new MailError(`邮箱已暂停：${row.pauseReason ?? ''}`, 'settings', { isUntried: true })
  return row
}

/** What a mail server is told, its secrets in clear. */
function smtpOf({ vault }: Pick<FastifyInstance, 'vault'>, row: AccountRow, isListed: boolean): SmtpAccount {
  const { host, port, mailAccount, mailPassword, fromName, fromAddress, dkimDomain, dkimSelector, dkimKey } = row
  return {
    host,
    port,
    isListed,
    security: securities[row.mailSecurity] ?? 'tls',
    ...(mailAccount && { auth: { user: mailAccount, pass: mailPassword ? vault.open(mailPassword) : '' } }),
    from: { name: fromName, address: fromAddress },
    ...(dkimDomain &&
      dkimSelector &&
      dkimKey && {
        dkim: { domainName: dkimDomain, keySelector: dkimSelector, privateKey: vault.open(dkimKey) },
      }),
  }
}

/** Servers that are connected, by what they were told: an account that was changed is opened anew, in every process. */
class OpenServers {
  readonly #open = new Map<string, { readonly mark: string; readonly server: SmtpServer }>()

  server(id: string, account: SmtpAccount): SmtpServer {
    const mark = createHash('sha256').update(JSON.stringify(account)).digest('hex')
    const known = this.#open.get(id)
    if (known?.mark === mark) return known.server
    const server = openSmtp(account)
    known?.server.close()
    this.#open.set(id, { mark, server })
    return server
  }

  close(): void {
    for (const { server } of this.#open.values()) server.close()
    this.#open.clear()
  }
}

function channelOf(app: FastifyInstance, demo: SandboxServer | null): MailChannel {
  const servers = new OpenServers()
  app.addHook('onClose', async () => servers.close())
  /** The server of an account; in the demonstration the sandbox, but where an administrator has listed the server. */
  async function serverOf(row: AccountRow): Promise<SmtpServer> {
    const hosts = await readPlatformParam(app, 'mail.hosts')
    const account = smtpOf(app, row, isAllowedHost(row.host, String(row.port), hosts))
    if (demo === null || account.isListed) return servers.server(row.id, account)
    const { auth: _auth, ...rest } = account
    const port = await demo.port()
    return servers.server(row.id, { ...rest, host: '127.0.0.1', port, security: 'none', isListed: true })
  }
  return {
    sandbox: demo ? `${mailSandboxPath}/` : '',
    isOn: async db => (await accountInUse(db)) !== undefined,
    async send(mail) {
      const { tenantId } = mail
      const row = await accountFor(liveFor(app, { tenantId, userId: null, now: app.now }), mail)
      try {
        return await (await serverOf(row)).send(mail)
      } catch (error) {
        if (error instanceof MailError && error.fault === 'settings' && mail.mailId === undefined)
          await pauseAccount(app, 'mail', { id: row.id, tenantId }, error.message)
        throw error
      }
    },
  }
}

/** Decorates the app with its channel for e-mail; in the demonstration a mail server of our own takes what is sent. */
export default fp(
  async app => {
    const demo = app.config.demo ? sandboxServer(app) : null
    app.decorate('mail', timedCalls(app.meter, 'mail', channelOf(app, demo)))
    if (demo) await app.register(sandbox, { prefix: mailSandboxPath })
  },
  { name: 'mail channel', dependencies: ['database', 'vault', 'journal'] },
)
