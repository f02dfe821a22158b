import type { FastifyInstance } from 'fastify'
import { PayChannelNo } from '#schemas/dictionaries'
import { liveFor } from '../../../database/live.ts'
import type { NotifyingChannel } from '../channel.ts'
import { WechatChannel, type WechatSurroundings } from './client.ts'

/** The address of WeChat Pay. */
const wechatUrl = 'https://api.mch.weixin.qq.com'
/** All tenants of an installation are paid through the merchant of the first. */
const payingTenant = '000000'

/** Finds the merchant that finance has set up and enabled, made again only when its settings were changed. */
export function merchantOf(app: Pick<FastifyInstance, 'db' | 'vault'>, around: WechatSurroundings) {
  const db = liveFor(app, { tenantId: payingTenant, userId: null, now: around.now })
  let known: { stamp: string; channel: NotifyingChannel } | undefined
  return async (): Promise<NotifyingChannel | null> => {
    const row = await db
      .selectFrom('pay')
      .selectAll()
      .where('channel', '=', PayChannelNo.wechat)
      .where('enable', '=', 1)
      .executeTakeFirst()
    if (!row?.privateKey || !row.apiV3Key) return null
    const stamp = `${row.id} ${row.updateTime.getTime()}`
    if (known?.stamp === stamp) return known.channel
    const settings = {
      mchid: row.mchId ?? '',
      appid: row.appId ?? '',
      serialNo: row.serialNo ?? '',
      privateKey: app.vault.open(row.privateKey),
      apiV3Key: app.vault.open(row.apiV3Key),
      ...(row.notifyUrl && { notifyUrl: row.notifyUrl }),
      platformKeys: { [row.platformKeyId ?? '']: row.platformKey ?? '' },
    }
    known = { stamp, channel: new WechatChannel({ ...settings, baseUrl: () => wechatUrl }, around) }
    return known.channel
  }
}
