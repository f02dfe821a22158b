import type { AddressInfo } from 'node:net'
import os from 'node:os'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { PayChannelNo } from '#schemas/dictionaries'
import { channelKinds } from '../../../platform/channels/pay/channels.ts'
import type { ChannelSurroundings, OpenChannel } from '../../../platform/channels/pay/kind.ts'
import type { ChannelNo } from './context.ts'
import { told, toldRefund } from './notify.ts'

/**
 * Decorates the app with its payment channels. New orders are made at the one that `PAY_CHANNEL` names, else at the sandbox in
 * demo mode and at WeChat Pay outside of it.
 * @throws when that channel is not open
 */
export default fp(
  async app => {
    const around: ChannelSurroundings = {
      ownUrl: () => ownUrl(app),
      publicUrl: () => publicUrl(app),
      told: (...given) => told(app, ...given),
      toldRefund: (...given) => toldRefund(app, ...given),
    }
    const all = new Map<ChannelNo, OpenChannel>()
    for (const kind of channelKinds()) {
      const open = await kind.open(app, around)
      if (open) all.set(PayChannelNo[kind.key], open)
    }
    const key = app.config.payChannel ?? (app.config.demo ? 'simulated' : 'wechat')
    const channelNo = (PayChannelNo as Readonly<Record<string, ChannelNo>>)[key]
    const open = channelNo && all.get(channelNo)
    if (!open) throw new Error(`PAY_CHANNEL names ${key}, which is no payment channel of this installation.`)
    app.decorate('pay', { channel: open.channel, channelNo, all })
  },
  { name: 'pay channel', dependencies: ['database', 'vault'] },
)

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
