import type { ChannelKind } from '../kind.ts'
import { WechatChannel } from '../wechat/client.ts'
import { databaseNonces } from '../wechat/nonces.ts'
import { openWechat } from '../wechat/open.ts'
import { sandboxMerchant } from './merchant.ts'
import sandbox, { sandboxPath } from './plugin.ts'
import { sandboxSettings } from './settings.ts'

/** Milliseconds between looks for notifications that are due. */
const interval = 2000

/** The demo's own WeChat Pay, with the real client in front of it. */
export default {
  key: 'simulated',
  async open(app, around) {
    const { config, secrets, pool, now } = app
    if (!config.demo) return null
    const merchant = sandboxMerchant(secrets.pair('payMerchant'), secrets.pair('payPlatform'), secrets.get('payNotify'))
    const channel = new WechatChannel(sandboxSettings(merchant, around.ownUrl), { now, nonces: databaseNonces(pool) })
    const options = { pool, now, publicUrl: () => around.publicUrl() }
    await app.register(sandbox, { ...options, merchant, prefix: sandboxPath, interval })
    return openWechat(app, channel, around, around.ownUrl)
  },
} satisfies ChannelKind
