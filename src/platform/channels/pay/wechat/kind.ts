import type { ChannelKind } from '../kind.ts'
import { storedChannel } from '../stored.ts'
import { WechatChannel } from './client.ts'
import { merchantOf } from './merchant.ts'
import { databaseNonces } from './nonces.ts'
import { openWechat } from './open.ts'

/**
 * WeChat Pay with the account of the environment or, without one, of the settings finance keeps. The demo pays at a sandbox
 * instead.
 */
export default {
  key: 'wechat',
  async open(app, around) {
    const { demo, wechat } = app.config
    if (demo) return null
    const needs = { now: app.now, nonces: databaseNonces(app.pool) }
    const channel = wechat
      ? new WechatChannel({ ...wechat, baseUrl: () => wechat.baseUrl }, needs)
      : storedChannel(merchantOf(app, needs))
    return openWechat(app, channel, around, around.publicUrl)
  },
} satisfies ChannelKind
