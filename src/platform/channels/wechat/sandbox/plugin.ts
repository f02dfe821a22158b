import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EnableStatus } from '#schemas/dictionaries'
import { liveAcross } from '../../../database/live.ts'
import { escapeHtml } from '../../../pdf/plain-text.ts'
import { languageOf, type Say, sandboxPage, sandboxPaths, sandboxStyle, shownTime } from '../../sandbox/page.ts'
import '../tables.ts'
import { openidOf, phoneOf, phoneOptions } from './phones.ts'
import { tellServer } from './push.ts'
import sandboxVisits from './visit.ts'

/** The path of the sandbox on this server. */
export const wechatSandboxPath = sandboxPaths.wechat

const open = { config: { access: 'public' as const } }

/** A message as a phone shows it. */
type Content = { readonly text: string } | { readonly url: string; readonly data: Record<string, { value: string }> }

/** What somebody sees, or does. */
interface Wish {
  readonly phone: number
  /** A QR code that is held before the phone; empty for none. */
  readonly qr: string
}

/** A phone with its messages. */
interface Phone extends Wish {
  readonly accountName: string
  readonly isFollowing: boolean
  readonly messages: readonly { content: Content; time: Date }[]
}

/** The account that a QR code leads to, else the first in use. */
async function accountOf(
  app: FastifyInstance,
  qr: string,
): Promise<{ appId: string; accountName: string } | undefined> {
  const { db } = app
  const rows = liveAcross(app, app)
    .selectFrom('wechat')
    .select(['appId', 'accountName'])
    .where('wechatStatus', '=', EnableStatus.enabled)
  const scanned = await db.selectFrom('wechat_sandbox_qr').select('appId').where('ticket', '=', qr).executeTakeFirst()
  return scanned
    ? await rows.where('appId', '=', scanned.appId).executeTakeFirst()
    : await rows.orderBy('id').limit(1).executeTakeFirst()
}

async function keepAnswer(app: FastifyInstance, openid: string, text: string): Promise<void> {
  const { db } = app
  if (text === '') return
  const answer = { openid, clientMsgId: null, content: JSON.stringify({ text }), time: app.now() }
  await db.insertInto('wechat_sandbox_message').values(answer).execute()
}

async function setFollowing(
  app: FastifyInstance,
  appId: string,
  phone: number,
  isFollowing: boolean,
): Promise<boolean> {
  const { db } = app
  const openid = openidOf(appId, phone)
  await db
    .insertInto('wechat_sandbox_phone')
    .values({ openid, appId, phone })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('wechat_sandbox_phone')
    .set({ isFollowing })
    .where('openid', '=', openid)
    .where('isFollowing', '<>', isFollowing)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Holds a phone before a QR code: whoever does not follow the account does from then on. */
async function scan(app: FastifyInstance, appId: string, { phone, qr }: Wish): Promise<void> {
  const { db } = app
  const openid = openidOf(appId, phone)
  const code = await db
    .selectFrom('wechat_sandbox_qr')
    .select('scene')
    .where('ticket', '=', qr)
    .where('until', '>', app.now())
    .executeTakeFirst()
  if (!code) return keepAnswer(app, openid, '二维码已过期。')
  const isNew = await setFollowing(app, appId, phone, true)
  const event = isNew
    ? { Event: 'subscribe', EventKey: `qrscene_${code.scene}`, Ticket: qr }
    : { Event: 'SCAN', EventKey: code.scene, Ticket: qr }
  await keepAnswer(app, openid, await tellServer(app, appId, openid, event))
}

/** Does what a button of the page says. */
async function act(app: FastifyInstance, appId: string, wish: Wish, what: string): Promise<void> {
  const openid = openidOf(appId, wish.phone)
  if (what === 'scan') await scan(app, appId, wish)
  if (what === 'follow' && (await setFollowing(app, appId, wish.phone, true)))
    await keepAnswer(app, openid, await tellServer(app, appId, openid, { Event: 'subscribe', EventKey: '' }))
  if (what === 'unfollow' && (await setFollowing(app, appId, wish.phone, false)))
    await tellServer(app, appId, openid, { Event: 'unsubscribe', EventKey: '' })
}

async function read(app: FastifyInstance, account: { appId: string; accountName: string }, wish: Wish): Promise<Phone> {
  const { db } = app
  const openid = openidOf(account.appId, wish.phone)
  const phone = await db
    .selectFrom('wechat_sandbox_phone')
    .select('isFollowing')
    .where('openid', '=', openid)
    .executeTakeFirst()
  const messages = await db
    .selectFrom('wechat_sandbox_message')
    .select(['content', 'time'])
    .where('openid', '=', openid)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return {
    ...wish,
    accountName: account.accountName,
    isFollowing: phone?.isFollowing ?? false,
    messages: messages as Phone['messages'],
  }
}

function item({ content, time }: Phone['messages'][number], say: Say): string {
  const body =
    'text' in content
      ? escapeHtml(content.text)
      : Object.entries(content.data)
          .map(([name, { value }]) => `<small>${escapeHtml(name)}</small> ${escapeHtml(value)}`)
          .join('\n')
  const link =
    'text' in content
      ? ''
      : `<a href="${escapeHtml(content.url)}" target="_blank" rel="noopener">${escapeHtml(say('打开消息'))}</a>`
  return `<li><time>${shownTime(time)}</time><div>${body}</div>${link}</li>`
}

const about = '演示环境的微信：三部手机，可以关注公众号、扫描二维码，收到的模板消息在这里查看。'

const pageOf = (body: string, say: Say): string => sandboxPage({ tab: 'wechat', title: '微信沙箱', about, body }, say)

function phonePage({ phone, qr, accountName, isFollowing, messages }: Phone, say: Say): string {
  const e = (text: string) => escapeHtml(say(text))
  const button = (act: string, text: string) => `<button type="submit" name="act" value="${act}">${e(text)}</button>`
  const state = `${escapeHtml(accountName)}：${e(isFollowing ? '已关注' : '未关注')}`
  const list = messages.map(one => item(one, say))
  const body = `<form method="post"><label for="phone">${e('沙箱手机')}</label>
<select id="phone" name="phone">${phoneOptions(phone, say)}</select><input type="hidden" name="qr" value="${escapeHtml(qr)}">
${button('show', '查看消息')}</form>
<form method="post"><input type="hidden" name="phone" value="${phone}"><input type="hidden" name="qr" value="${escapeHtml(qr)}">
${qr ? button('scan', isFollowing ? '扫描二维码' : '关注并扫描二维码') : ''}${isFollowing ? button('unfollow', '取消关注') : button('follow', '关注')}</form>
<p>${state}</p>
${qr ? '' : `<p>${e('绑定时从「我的资料」的「消息」中打开本页，或用浏览器打开二维码中的地址。')}</p>`}
${list.length > 0 ? `<ol>${list.join('')}</ol>` : `<p role="status">${e('还没有消息。')}</p>`}`
  return pageOf(body, say)
}

/** The phones of the demo. Register it in demo mode only. */
export default async function wechatSandbox(app: FastifyInstance): Promise<void> {
  await app.register(sandboxVisits)
  app.get('/sandbox.css', open, async (_request, reply) => reply.type('text/css; charset=utf-8').send(sandboxStyle))
  const wishOf = (given: unknown): Wish => {
    const { phone, qr } = (given ?? {}) as { phone?: unknown; qr?: unknown }
    return {
      phone: phoneOf(phone),
      qr: typeof qr === 'string' && /^[0-9a-f]{24}$/.test(qr) ? qr : '',
    }
  }
  const shown = async (request: FastifyRequest, wish: Wish, what: string): Promise<string> => {
    const say = languageOf(request.headers['accept-language'])
    const account = await accountOf(app, wish.qr)
    if (!account) return pageOf(`<p role="status">${escapeHtml(say('还没有启用公众号。'))}</p>`, say)
    await act(app, account.appId, wish, what)
    return phonePage(await read(app, account, wish), say)
  }
  app.get('/', open, async (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(await shown(request, wishOf(request.query), 'show')),
  )
  app.post('/', open, async (request, reply) => {
    const what = String((request.body as { act?: unknown } | undefined)?.act ?? '')
    return reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(await shown(request, wishOf(request.body), what))
  })
}
