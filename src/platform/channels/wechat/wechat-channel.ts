import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Selectable } from 'kysely'
import type { WechatTemplate } from '#engine'
import { EnableStatus } from '#schemas/dictionaries'
import { type Live, type LiveDatabase, liveFor } from '../../database/live.ts'
import { apart } from '../../database/request-transaction.ts'
import { timedCalls } from '../../metrics/meter.ts'
import { ChannelError } from '../fault.ts'
import { pauseAccount } from '../pause.ts'
import {
  askToken,
  createSceneCode,
  readVisitor,
  sendTemplate,
  visitAddress,
  type WechatApp,
  type WechatAround,
  wechatHost,
} from './api.ts'
import type { NewWechatMessage, WechatChannel } from './channel.ts'
import { dataOf, readKeywords } from './keywords.ts'
import pushRoutes from './push-routes.ts'
import { sandboxFetch } from './sandbox/api.ts'
import sandbox, { wechatSandboxPath } from './sandbox/plugin.ts'
import { sandboxVisit } from './sandbox/visit.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The way out to official accounts at WeChat. */
    wechat: WechatChannel
  }
}

type AccountRow = Selectable<LiveDatabase['wechat']>

/** The account in use of the tenant of a handle. */
const accountInUse = (db: Live): Promise<AccountRow | undefined> =>
  db.selectFrom('wechat').selectAll().where('wechatStatus', '=', EnableStatus.enabled).limit(1).executeTakeFirst()

/** A row of the settings that is tried, else the account in use. @throws ChannelError where it cannot send */
async function accountFor(db: Live, wechatId?: string): Promise<AccountRow> {
  const tried = db
    .selectFrom('wechat')
    .selectAll()
    .where('id', '=', wechatId ?? '')
  const row = await (wechatId === undefined ? accountInUse(db) : tried.executeTakeFirst())
  if (!row) throw new ChannelError('未配置公众号', 'settings', { isUntried: true })
  if (row.pausedTime && wechatId === undefined)
    throw new ChannelError(`公众号已暂停：${row.pauseReason ?? ''}`, 'settings', { isUntried: true })
  return row
}

/** The template of an account, with its keywords. @throws ChannelError where it has none */
function templateOf(row: AccountRow, template: WechatTemplate) {
  const templateId = row[`${template}Template`]
  const keywords = readKeywords(row[`${template}Keywords`] ?? '')
  if (!templateId || typeof keywords === 'string')
    throw new ChannelError('公众号没有配置该类消息的模板', 'final', { isUntried: true })
  return { templateId, keywords }
}

function channelOf(app: FastifyInstance, isSandbox: boolean): WechatChannel {
  const { db, vault, now } = app
  const around: WechatAround = {
    db,
    vault,
    now,
    host: app.config.wechatApiHost ?? wechatHost,
    fetch: isSandbox ? sandboxFetch(app) : fetch,
  }
  const appOf = ({ id, appId, appSecret }: AccountRow): WechatApp => ({ id, appId, appSecret: vault.open(appSecret) })
  const liveOf = (tenantId: string): Live => liveFor(app, { tenantId, userId: null, now })
  /** Makes a call by an account; one whose settings are at fault is paused, unless it is only tried. */
  async function by<T>(
    tenantId: string,
    row: AccountRow,
    isTrial: boolean,
    call: (of: WechatApp) => Promise<T>,
  ): Promise<T> {
    try {
      // A token is good for all, though the request that wanted it is refused.
      return await apart(() => call(appOf(row)))
    } catch (error) {
      if (error instanceof ChannelError && error.fault === 'settings' && !isTrial)
        await pauseAccount(app, 'wechat', { id: row.id, tenantId }, error.message)
      throw error
    }
  }
  return {
    sandbox: isSandbox ? `${wechatSandboxPath}/` : '',
    accountId: async of => (await accountInUse(of))?.id,
    async offers(of, template) {
      const row = await accountInUse(of)
      return !!row?.[`${template}Template`] && !!row[`${template}Keywords`]
    },
    async send({ id, tenantId, openid, template, values, url, wechatId }: NewWechatMessage) {
      const row = await accountFor(liveOf(tenantId), wechatId)
      const { templateId, keywords } = templateOf(row, template)
      const data = dataOf(keywords, values)
      const message = { touser: openid, template_id: templateId, url, client_msg_id: id, data }
      return { ref: await by(tenantId, row, wechatId !== undefined, of => sendTemplate(around, of, message)) }
    },
    async sceneCode(tenantId, scene, seconds) {
      const row = await accountFor(liveOf(tenantId))
      return { url: await by(tenantId, row, false, of => createSceneCode(around, of, scene, seconds)) }
    },
    async visitAddress(tenantId, back, state) {
      const { appId } = await accountFor(liveOf(tenantId))
      return isSandbox ? sandboxVisit(app, { appId, back, state }) : visitAddress({ appId }, back, state)
    },
    async visitor(tenantId, code) {
      const row = await accountFor(liveOf(tenantId))
      return by(tenantId, row, false, of => readVisitor(around, of, code))
    },
    async probe(tenantId, wechatId) {
      const row = await accountFor(liveOf(tenantId), wechatId)
      await by(tenantId, row, true, of => askToken(around, of))
    },
  }
}

/**
 * Decorates the app with its channel for WeChat; in the demonstration phones of our own take what is sent, unless it was said where WeChat
 * is.
 */
export default fp(
  async app => {
    const isSandbox = app.config.demo && app.config.wechatApiHost === undefined
    app.decorate('wechat', timedCalls(app.meter, 'wechat', channelOf(app, isSandbox)))
    await app.register(pushRoutes)
    if (isSandbox) await app.register(sandbox, { prefix: wechatSandboxPath })
  },
  { name: 'wechat channel', dependencies: ['database', 'vault', 'body', 'journal'] },
)
