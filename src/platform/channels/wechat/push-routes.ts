import type { FastifyInstance } from 'fastify'
import { liveAcross } from '../../database/live.ts'
import { sent, serve } from '../../http/server/serve.ts'
import { wechatCheck, wechatPush } from './contract.ts'
import { isSigned, type Push, type PushKeys, type PushQuery, pushKeysOf, readPush, replyTo } from './push.ts'
import '../../http/server/extensions.ts'

/** An account that a push is meant for. */
export interface PushedAccount {
  readonly id: string
  readonly tenantId: string
  readonly appId: string
}

/**
 * Takes a push of WeChat. It may come again where WeChat heard no answer.
 * @returns what is shown to whoever caused it; null for nothing
 */
export type TakePush = (app: FastifyInstance, account: PushedAccount, push: Push) => Promise<string | null>

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    /** Takes what WeChat tells of people, and of messages. */
    takeWechatPush: TakePush
  }
}

/** Largest push, in bytes. */
const bodyLimit = 65_536

/** Path of the pushes of an account below `/api`. */
export const pushPath = (wechatId: string): string => wechatPush.path.replace(':wechatId', wechatId)

/** The account of a push with its keys; undefined for one that is not there. */
async function accountOf(app: FastifyInstance, id: string): Promise<(PushedAccount & PushKeys) | undefined> {
  if (!/^\d{1,19}$/.test(id)) return undefined
  const row = await liveAcross(app, app)
    .selectFrom('wechat')
    .select(['id', 'tenantId', 'appId', 'pushToken', 'aesKey'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { id: row.id, tenantId: row.tenantId, ...pushKeysOf(app.vault, row) }
}

const queryOf = (query: unknown): PushQuery & { echostr: string } => {
  const given = query as Readonly<Record<string, unknown>>
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '')
  return {
    timestamp: text('timestamp'),
    nonce: text('nonce'),
    signature: text('signature'),
    msg_signature: text('msg_signature'),
    echostr: text('echostr'),
  }
}

/** Takes what WeChat sends by itself. Anybody can make the calls: each is signed by the token that WeChat and the account share. */
export default async function pushRoutes(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body))
  const signed = async (params: unknown, query: PushQuery) => {
    const account = await accountOf(app, (params as { wechatId: string }).wechatId)
    return account && isSigned(account, query, app.now()) ? account : undefined
  }
  serve(app, wechatCheck, async ({ request, reply }) => {
    const query = queryOf(request.query)
    const isOurs = (await signed(request.params, query)) !== undefined
    return sent(isOurs ? reply.type('text/plain; charset=utf-8').send(query.echostr) : reply.code(404).send())
  })
  serve(app, wechatPush, async ({ request, reply }) => {
    const query = queryOf(request.query)
    const account = await signed(request.params, query)
    if (!account) return sent(reply.code(404).send())
    let push: Push
    try {
      push = readPush(account, query, String(request.body ?? ''))
    } catch {
      return sent(reply.code(400).send())
    }
    const { id, tenantId, appId } = account
    const words = await app.extensions.takeWechatPush(app, { id, tenantId, appId }, push)
    // An empty answer is one, too: WeChat does not push again.
    if (words === null) return sent(reply.type('text/plain').send(''))
    return sent(reply.type('application/xml; charset=utf-8').send(replyTo(account, push, words, app.now())))
  })
}
