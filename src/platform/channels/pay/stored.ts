import { ChannelError, NotifyError, type NotifyingChannel } from './channel.ts'

/** Finds the channel that is in use now; null when none is set up. */
export type FindChannel = () => Promise<NotifyingChannel | null>

/** A channel whose settings are kept where people change them: each call goes to the one that is in use then. */
export function storedChannel(find: FindChannel): NotifyingChannel {
  const current = async (): Promise<NotifyingChannel> => {
    const channel = await find()
    if (!channel) throw new ChannelError('NO_CHANNEL', 0, 'no payment channel is configured')
    return channel
  }
  const believing = async (): Promise<NotifyingChannel> => {
    const channel = await find()
    if (!channel) throw new NotifyError('merchant', 'no payment channel is configured')
    return channel
  }
  return {
    createOrder: async order => (await current()).createOrder(order),
    queryOrder: async orderNo => (await current()).queryOrder(orderNo),
    closeOrder: async orderNo => (await current()).closeOrder(orderNo),
    refund: async refund => (await current()).refund(refund),
    queryRefund: async refundNo => (await current()).queryRefund(refundNo),
    tradeBill: async day => (await current()).tradeBill(day),
    verifyNotify: async (headers, body) => (await believing()).verifyNotify(headers, body),
    verifyRefundNotify: async (headers, body) => (await believing()).verifyRefundNotify(headers, body),
  }
}
