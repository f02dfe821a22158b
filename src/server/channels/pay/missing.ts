import { ChannelError, NotifyError, type PayChannel } from './channel.ts'

/** The channel of an installation that has none yet: everything is refused, nothing is believed. */
export const missingChannel: PayChannel = {
  createOrder: refuseAll,
  queryOrder: refuseAll,
  closeOrder: refuseAll,
  async verifyNotify() {
    throw new NotifyError('merchant', 'no payment channel is configured')
  },
}

async function refuseAll(): Promise<never> {
  throw new ChannelError('NO_CHANNEL', 0, 'no payment channel is configured')
}
