import type { FastifyInstance, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../../pdf/plain-text.ts'
import { languageOf, type Say, sandboxPage, sandboxPaths, sandboxStyle, shownTime } from '../../sandbox/page.ts'
import { isNobodys, mailById, mailsTo, type ReadMail } from './outbox.ts'

/** The path of the sandbox on this server. */
export const mailSandboxPath = sandboxPaths.mail

const open = { config: { access: 'public' as const } }

/** A mail is shown by itself and does nothing: no script, nothing from elsewhere, no page that it belongs to. */
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"

function item({ id, from, to, subject, text, time }: ReadMail, say: Say): string {
  const link = isNobodys(to)
    ? `<a href="${mailSandboxPath}/html/${id}" target="_blank" rel="noopener">${escapeHtml(say('查看 HTML 格式'))}</a>`
    : ''
  const head = `${escapeHtml(from)} → ${escapeHtml(to)}`
  return `<li><time>${shownTime(time)}</time><small>${head}</small><h2>${escapeHtml(subject)}</h2>
<div>${escapeHtml(text.trim())}</div>${link}</li>`
}

function inboxPage(address: string, mails: readonly ReadMail[], say: Say): string {
  const label = escapeHtml(say('邮箱地址'))
  const items = mails.map(one => item(one, say))
  const nothing = `<p role="status">${escapeHtml(say(address ? '该邮箱没有邮件。' : '还没有邮件。'))}</p>`
  const body = `<form method="post"><label for="address">${label}</label>
<input id="address" name="address" type="email" maxlength="100" placeholder="kaosheng@example.org" value="${escapeHtml(address)}">
<button type="submit">${escapeHtml(say('查看消息'))}</button></form>
${items.length > 0 ? `<ol>${items.join('')}</ol>` : nothing}`
  const about =
    '演示环境的邮件只发到本机，在这里查看；不填地址时显示发给演示人员（example.org）的最近邮件。nobody@ 开头的地址退信，busy@ 开头的稍后再试。'
  return sandboxPage({ tab: 'mail', title: '邮件沙箱', about, body }, say)
}

/**
 * The mailboxes of the demo: mails to its people, and those to an address that somebody types. Register it in demo mode only. The
 * address is sent in a form, so that it stands in no address and no log.
 */
export default async function mailSandbox(app: FastifyInstance): Promise<void> {
  const { pool } = app
  app.get('/sandbox.css', open, async (_request, reply) => reply.type('text/css; charset=utf-8').send(sandboxStyle))
  const shown = async (request: FastifyRequest, address: string): Promise<string> =>
    inboxPage(address, await mailsTo(pool, address), languageOf(request.headers['accept-language']))
  app.get('/', open, async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(await shown(request, '')),
  )
  app.post('/', open, async (request: FastifyRequest, reply) => {
    const given = String((request.body as { address?: unknown } | undefined)?.address ?? '').trim()
    const address = /^[^\s@]{1,64}@[^\s@]{1,100}$/.test(given) ? given : ''
    return reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(await shown(request, address))
  })
  app.get('/html/:id', open, async (request: FastifyRequest, reply) => {
    const { id } = request.params as { id: string }
    const mail = /^\d{1,18}$/.test(id) ? await mailById(pool, id) : undefined
    if (!mail) return reply.code(404).send()
    return reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', mailPolicy)
      .header('Cache-Control', 'no-store')
      .send(mail.html)
  })
}
