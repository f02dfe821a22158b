import type { AddressInfo } from 'node:net'
import os from 'node:os'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { PayChannelNo } from '#schemas/dictionaries'
import type { PayChannel } from '../../../platform/channels/pay/channel.ts'
import { sandboxMerchant } from '../../../platform/channels/pay/sandbox/merchant.ts'
import sandbox, { sandboxPath } from '../../../platform/channels/pay/sandbox/plugin.ts'
import { sandboxSettings } from '../../../platform/channels/pay/sandbox/settings.ts'
import { storedChannel } from '../../../platform/channels/pay/stored.ts'
import { WechatChannel } from '../../../platform/channels/pay/wechat/client.ts'
import { databaseNonces } from '../../../platform/channels/pay/wechat/nonces.ts'
import { payNotify, refundNotify } from '../contract.ts'
import { merchantOf } from './pay-merchant.ts'

/** The payment channel of this installation. */
export interface PaymentChannel {
  channel: PayChannel
  /** Its number in dictionary `pay_channel`. */
  channelNo: typeof PayChannelNo.wechat | typeof PayChannelNo.simulated
  /** Where the channel sends its notifications. */
  notifyUrl: () => string
  /** Where it sends those about refunds. */
  refundNotifyUrl: () => string
}

declare module 'fastify' {
  interface FastifyInstance {
    pay: PaymentChannel
  }
}

/** Milliseconds between looks for notifications of the sandbox that are due. */
const sandboxInterval = 2000

/**
 * Decorates the app with its payment channel: the sandbox in demo mode, which it opens, else WeChat Pay with the account of the
 * environment or, without one, of the settings finance keeps.
 */
export default fp(
  async app => {
    const around = { now: app.now, nonces: databaseNonces(app.pool) }
    const door = (address: () => string) => ({
      notifyUrl: () => `${address()}/api${payNotify.path}`,
      refundNotifyUrl: () => `${address()}/api${refundNotify.path}`,
    })
    if (app.config.demo) {
      const merchant = readMerchant(app)
      const channel = new WechatChannel(
        sandboxSettings(merchant, () => ownUrl(app)),
        around,
      )
      app.decorate('pay', { channel, channelNo: PayChannelNo.simulated, ...door(() => ownUrl(app)) })
      const options = { pool: app.pool, now: app.now, publicUrl: () => publicUrl(app) }
      await app.register(sandbox, { ...options, merchant, prefix: sandboxPath, interval: sandboxInterval })
      return
    }
    const { wechat } = app.config
    const channel = wechat
      ? new WechatChannel({ ...wechat, baseUrl: () => wechat.baseUrl }, around)
      : storedChannel(merchantOf(app, around))
    app.decorate('pay', { channel, channelNo: PayChannelNo.wechat, ...door(() => publicUrl(app)) })
  },
  { name: 'pay channel', dependencies: ['database', 'vault'] },
)

function readMerchant({ secrets }: FastifyInstance) {
  return sandboxMerchant(secrets.pair('payMerchant'), secrets.pair('payPlatform'), secrets.get('payNotify'))
}

/** The address by which the server reaches itself. */
function ownUrl(app: FastifyInstance): string {
  const { port } = app.server.address() as AddressInfo
  const { host } = app.config
  const local = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`
}

/** The address by which others reach the server: as configured, else the first network address it listens on. */
function publicUrl(app: FastifyInstance): string {
  const configured = app.config.publicUrl
  if (configured) return configured.replace(/\/$/, '')
  if (!['0.0.0.0', '::'].includes(app.config.host)) return ownUrl(app)
  const addresses = Object.values(os.networkInterfaces()).flatMap(list => list ?? [])
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return outside ? ownUrl(app).replace('127.0.0.1', outside.address) : ownUrl(app)
}
