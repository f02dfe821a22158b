import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { escapeHtml } from '../../../pdf/plain-text.ts'
import { languageOf, type Say, sandboxPage, sandboxPaths, sandboxStyle, shownTime } from '../../sandbox/page.ts'
import type { Hasher } from '../channel.ts'
import { inbox, type OutboxMessage } from './outbox.ts'

/** The path of the sandbox on this server. */
export const smsSandboxPath = sandboxPaths.sms

/** What the sandbox needs around it. */
export interface SmsSandboxOptions {
  pool: Pool
  vault: Hasher
}

const open = { config: { access: 'public' as const } }

/** The page on which a demo user reads what was sent to a number. */
function inboxPage(phone: string, messages: readonly OutboxMessage[], say: Say): string {
  const items = messages.map(
    ({ content, time }) => `<li><time>${shownTime(time)}</time><div>${escapeHtml(content)}</div></li>`,
  )
  const nothing = `<p role="status">${escapeHtml(say('该号码没有短信。'))}</p>`
  const list = items.length > 0 ? `<ol>${items.join('')}</ol>` : nothing
  const label = escapeHtml(say('手机号码'))
  const body = `<form method="post"><label for="phone">${label}</label>
<input id="phone" name="phone" inputmode="numeric" maxlength="11" pattern="1[3-9][0-9]{9}" required
  placeholder="${label}" value="${escapeHtml(phone)}"><button type="submit">${escapeHtml(say('查看消息'))}</button></form>
${phone ? list : ''}<p>${escapeHtml(say('试验用号码：尾号0000为空号，9001发出后结果不明，9002的回执迟到两分钟。'))}</p>`
  return sandboxPage(
    { tab: 'sms', title: '短信沙箱', about: '演示环境不向运营商发送短信，发出的内容在这里查看。', body },
    say,
  )
}

/**
 * The phone of the demo: whoever types a number reads its messages. Register it in demo mode only. The number is sent
 * in a form, so that it stands in no address and no log.
 */
export default async function smsSandbox(app: FastifyInstance, { pool, vault }: SmsSandboxOptions): Promise<void> {
  app.get('/sandbox.css', open, async (_request, reply) => reply.type('text/css; charset=utf-8').send(sandboxStyle))
  app.get('/', open, async (request, reply) =>
    reply.type('text/html; charset=utf-8').send(inboxPage('', [], languageOf(request.headers['accept-language']))),
  )
  app.post('/', open, async (request: FastifyRequest, reply) => {
    const given = String((request.body as { phone?: unknown } | undefined)?.phone ?? '')
    const phone = /^1[3-9]\d{9}$/.test(given) ? given : ''
    const say = languageOf(request.headers['accept-language'])
    const page = inboxPage(phone, phone ? await inbox(pool, vault, phone) : [], say)
    return reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(page)
  })
}
