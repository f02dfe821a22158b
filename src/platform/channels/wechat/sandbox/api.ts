import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { publicUrl } from '../../../http/server/public-url.ts'
import { sandboxPaths } from '../../sandbox/page.ts'
import type { TemplateMessage } from '../api.ts'
import '../tables.ts'
import { tellServer } from './push.ts'
import { visitorOf } from './visit.ts'

/** What the sandbox is asked, by its path. */
type Answering = (appId: string, body: never) => Promise<object>

const refused = (errcode: number, errmsg: string) => ({ errcode, errmsg })

/**
 * WeChat of the demonstration, as `fetch`: access tokens, QR codes, and template messages, which its phones show. All processes share it by the
 * database.
 */
export function sandboxFetch(app: FastifyInstance): typeof globalThis.fetch {
  const { db, now } = app
  const prefix = 'sandbox-'
  /** Whether a phone follows an account; undefined for one that never has. */
  const phoneOf = (appId: string, openid: string) =>
    db
      .selectFrom('wechat_sandbox_phone')
      .select('isFollowing')
      .where('openid', '=', openid)
      .where('appId', '=', appId)
      .executeTakeFirst()
  const calls: Readonly<Record<string, Answering>> = {
    async '/cgi-bin/qrcode/create'(
      appId,
      body: { expire_seconds: number; action_info: { scene: { scene_str: string } } },
    ) {
      const ticket = randomBytes(12).toString('hex')
      const until = new Date(now().getTime() + body.expire_seconds * 1000)
      const scene = body.action_info.scene.scene_str
      await db.insertInto('wechat_sandbox_qr').values({ ticket, appId, scene, until }).execute()
      await db
        .deleteFrom('wechat_sandbox_qr')
        .where('until', '<', new Date(now().getTime() - 3_600_000))
        .execute()
      return {
        ticket,
        expire_seconds: body.expire_seconds,
        url: `${publicUrl(app)}${sandboxPaths.wechat}/?qr=${ticket}`,
      }
    },
    async '/cgi-bin/user/info'(appId, { openid }: { openid: string }) {
      const phone = await phoneOf(appId, openid)
      return { openid, subscribe: Number(phone?.isFollowing ?? false) }
    },
    async '/cgi-bin/message/template/send'(appId, message: TemplateMessage) {
      const phone = await phoneOf(appId, message.touser)
      if (!phone) return refused(40003, 'invalid openid')
      if (!phone.isFollowing) return refused(43004, 'require subscribe')
      const { touser: openid, client_msg_id: clientMsgId, ...content } = message
      const taken = await db
        .insertInto('wechat_sandbox_message')
        .values({ openid, clientMsgId, content: JSON.stringify(content), time: now() })
        .onConflict(conflict => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      const found = await db
        .selectFrom('wechat_sandbox_message')
        .select('id')
        .where('openid', '=', openid)
        .where('clientMsgId', '=', clientMsgId)
        .executeTakeFirstOrThrow()
      const done = { Event: 'TEMPLATESENDJOBFINISH', MsgID: found.id, Status: 'success' }
      if (taken)
        tellServer(app, appId, openid, done).catch(err => app.log.warn({ err }, 'the WeChat of the demonstration'))
      return { errcode: 0, errmsg: 'ok', msgid: Number(found.id) }
    },
  }
  return async (input, init) => {
    const url = new URL(String(input))
    if (url.pathname === '/sns/oauth2/access_token') {
      const openid = visitorOf(url.searchParams.get('code') ?? '')
      return Response.json(openid === undefined ? refused(40029, 'invalid code') : { openid })
    }
    const body = JSON.parse(String(init?.body ?? '{}'))
    if (url.pathname === '/cgi-bin/stable_token')
      return Response.json({ access_token: `${prefix}${body.appid}`, expires_in: 7200 })
    const token = url.searchParams.get('access_token') ?? ''
    const openid = url.searchParams.get('openid')
    const call = calls[url.pathname]
    if (!call || !token.startsWith(prefix)) return Response.json(refused(40001, 'invalid credential'))
    return Response.json(await call(token.slice(prefix.length), (openid === null ? body : { openid }) as never))
  }
}
