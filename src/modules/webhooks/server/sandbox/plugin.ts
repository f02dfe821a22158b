import type { FastifyInstance, FastifyRequest } from 'fastify'
import { domainEvents } from '#resources/events'
import {
  languageOf,
  type Say,
  sandboxPage,
  sandboxPaths,
  sandboxStyle,
  shownTime,
} from '../../../../platform/channels/sandbox/page.ts'
import { ownUrl } from '../../../../platform/http/server/public-url.ts'
import { escapeHtml } from '../../../../platform/pdf/plain-text.ts'
import { answerFaults, faultsLeft, keepSecret, mostFaults, type Received, receive, received } from './received.ts'

/** The path of the sandbox on this server, and the part of it that takes messages. */
export const hookSandboxPath = sandboxPaths.hook
const inPath = '/in'

/** The address of the receiver. */
export const hookSandboxUrl = (app: FastifyInstance): string => `${ownUrl(app)}${hookSandboxPath}${inPath}`

/** What is taken at most, in bytes. */
const largest = 64 * 1024

const open = { config: { access: 'public' as const } }

/** What happened, in words where the message is one of ours. */
function titleOf(body: string, say: Say): string {
  try {
    const { type } = JSON.parse(body) as { type?: unknown }
    const event = domainEvents.get(String(type))
    return event ? `${say(event.label)} · ${type}` : String(type ?? '')
  } catch {
    return ''
  }
}

function prettyOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function item(received: Received, say: Say): string {
  const { messageId, timestamp, signature, body, verified, replay, refused, time, nth } = received
  const headers = [
    `webhook-id: ${messageId}`,
    `webhook-timestamp: ${timestamp ?? ''}`,
    `webhook-signature: ${signature ?? ''}`,
  ]
  const signs = [
    verified ? `✓ ${say('签名有效')}` : `✗ ${say('签名无效')}`,
    ...(nth > 1 ? [say('重复收到')] : []),
    ...(replay ? [say('重放')] : []),
    ...(refused ? [say('已按设定回答失败')] : []),
  ]
  return `<li><time>${shownTime(time)}</time>
${headers.map(one => `<small><code>${escapeHtml(one)}</code></small>`).join('')}
<small data-bad="${verified && !refused ? '' : '1'}"><strong>${escapeHtml(signs.join(' · '))}</strong></small>
<h2>${escapeHtml(titleOf(body, say))}</h2><div>${escapeHtml(prettyOf(body))}</div></li>`
}

interface Shown {
  readonly messages: readonly Received[]
  /** How many of the next ones are answered with a fault. */
  readonly faults: number
  /** What became of the secret that was handed over. */
  readonly said?: string
}

function inboxPage(app: FastifyInstance, { messages, faults, said }: Shown, say: Say): string {
  const label = escapeHtml(say('密钥（whsec_ 开头）'))
  const faultLabel = escapeHtml(say('接下来几次推送回答失败（503）'))
  const items = messages.map(one => item(one, say))
  const nothing = `<p role="status">${escapeHtml(say('还没有收到推送。'))}</p>`
  const body = `<p>${escapeHtml(say('接收地址'))} <code>${escapeHtml(hookSandboxUrl(app))}</code></p>
<form method="post"><label for="secret">${label}</label>
<input id="secret" name="secret" maxlength="100" autocomplete="off" required placeholder="${label}">
<button type="submit">${escapeHtml(say('交给接收方'))}</button></form>
<form method="post"><span aria-hidden="true">${faultLabel}</span><label for="faults">${faultLabel}</label>
<input id="faults" name="faults" type="number" min="0" max="${mostFaults}" required value="${faults}">
<button type="submit">${escapeHtml(say('设定'))}</button></form>
${said ? `<p role="status">${escapeHtml(said)}</p>` : ''}
${items.length > 0 ? `<ol>${items.join('')}</ol>` : nothing}`
  const about =
    '演示环境里的另一个系统：它用交给它的密钥核对签名，收到的推送在这里查看。在“推送”中取得或更换密钥后，把密钥交给它；也可以让它回答失败，看推送怎样重试。'
  return sandboxPage({ tab: 'hook', title: '推送沙箱', about, body }, say)
}

/**
 * The other system of the demo: it takes webhooks, verifies them by the secrets that it was handed, and shows them. Register it in demo
 * mode only.
 */
export default async function hookSandbox(app: FastifyInstance): Promise<void> {
  const { pool } = app
  const send = async (request: FastifyRequest, said?: (say: Say) => string): Promise<string> => {
    const say = languageOf(request.headers['accept-language'])
    const shown = { messages: await received(pool), faults: await faultsLeft(pool), ...(said && { said: said(say) }) }
    return inboxPage(app, shown, say)
  }
  app.get('/sandbox.css', open, async (_request, reply) => reply.type('text/css; charset=utf-8').send(sandboxStyle))
  app.get('/', open, async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(await send(request)),
  )
  app.post('/', open, async (request, reply) => {
    const given = request.body as { secret?: unknown; faults?: unknown } | undefined
    reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-store')
    if (given?.faults !== undefined) {
      await answerFaults(pool, Math.min(Math.max(Math.trunc(Number(given.faults)) || 0, 0), mostFaults))
      return reply.send(await send(request))
    }
    const secret = String(given?.secret ?? '').trim()
    const isSecret = /^whsec_[A-Za-z0-9+/]{20,80}={0,2}$/.test(secret)
    if (isSecret) await keepSecret(pool, secret, app.now())
    return reply.send(
      await send(request, say => say(isSecret ? '密钥已交给接收方。' : '密钥应以 whsec_ 开头，请完整粘贴。')),
    )
  })
  await app.register(async inside => {
    // A signature is of the text as it came.
    inside.removeContentTypeParser('application/json')
    inside.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: largest }, (_request, body, done) =>
      done(null, body),
    )
    inside.post(inPath, open, async (request, reply) => {
      const header = (name: string): string => String(request.headers[name] ?? '')
      const became = await receive(
        pool,
        {
          id: header('webhook-id').slice(0, 100),
          timestamp: header('webhook-timestamp').slice(0, 20),
          signature: header('webhook-signature').slice(0, 1000),
          isReplay: header('webhook-replay') === '1',
          body: typeof request.body === 'string' ? request.body : '',
        },
        app.now(),
      )
      if (became === 'refused') return reply.code(503).send('told to fail')
      return became === 'taken' ? reply.code(204).send() : reply.code(400).send('the signature does not fit')
    })
  })
  // A start may listen at another port than the one before.
  app.addHook('onListen', async () => {
    const [url, before] = [hookSandboxUrl(app), `http://127.0.0.1:%${hookSandboxPath}${inPath}`]
    await pool.query('UPDATE hook SET url = $1 WHERE url LIKE $2 AND url <> $1', [url, before])
  })
}
